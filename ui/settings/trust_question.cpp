// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/trust_question.h"

#include "application/contract/commands.h"
#include "application/engine_client.h"
#include "ui/widgets/button.h"

#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

TrustQuestion::TrustQuestion(application::EngineClient &client, QWidget *parent)
    : QWidget(parent),
      m_client(client),
      m_banner(new Banner(Tone::Warn)),
      m_confirm(m_banner->addAction({}))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_banner);
    connect(m_confirm, &QPushButton::clicked, this, &TrustQuestion::send);
    hide();
}

void TrustQuestion::setProvider(const application::ProviderView &provider)
{
    m_shown = provider;
    const QStringList &origins = provider.unconfirmedOrigins;
    const QStringList &variables = provider.unconfirmedVariables;
    setVisible(!origins.isEmpty() || !variables.isEmpty());
    if (origins.isEmpty() && variables.isEmpty())
        return;
    QStringList lines;
    if (!origins.isEmpty())
        lines << tr("The key would be sent to %1.").arg(origins.join(QStringLiteral(", ")));
    if (!variables.isEmpty())
        lines << tr("The file reads from the environment: %1.")
                     .arg(variables.join(QStringLiteral(", ")));
    lines << tr("Nothing is sent before you confirm. Confirm only what you know.");
    m_banner->setText(origins.isEmpty() ? tr("May this provider read these variables?")
                                        : tr("May the key go there?"),
                      lines.join(QLatin1Char('\n')));
    m_confirm->setText(origins.isEmpty() ? tr("Let it read them") : tr("Send the key there"));
    m_confirm->setAccessibleName(
        origins.isEmpty() ? tr("Let it read %1").arg(variables.join(QStringLiteral(", ")))
                          : tr("Send the key to %1").arg(origins.join(QStringLiteral(", "))));
    m_confirm->setEnabled(true);
}

void TrustQuestion::send()
{
    m_confirm->setEnabled(false);
    application::deliver(this, m_client,
                         application::TrustProvider{m_shown.config, m_shown.unconfirmedOrigins,
                                                    m_shown.unconfirmedVariables},
                         [this](const domain::Result<application::ProviderView> &answer) {
                             m_confirm->setEnabled(true);
                             if (answer)
                                 Q_EMIT confirmed(*answer);
                             else
                                 Q_EMIT failed(answer.error());
                         });
}

} // namespace berth::ui
