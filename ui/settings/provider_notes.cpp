// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/provider_notes.h"

#include "ui/widgets/button.h"
#include "ui/widgets/label.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QUrl>
#include <QtGui/QDesktopServices>
#include <QtWidgets/QHBoxLayout>

#include <algorithm>

namespace berth::ui {

ProviderNotes::ProviderNotes(QWidget *parent)
    : QWidget(parent),
      m_words(new Label(TextRole::Caption, Ink::Secondary)),
      m_console(new LinkButton(tr("Open the console")))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    m_words->setWrapped(true);
    row->addWidget(m_words, 1);
    row->addWidget(m_console, 0, Qt::AlignTop);
    connect(m_console, &QToolButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl(m_address)); });
    hide();
}

void ProviderNotes::setForm(const application::ProviderForm &form)
{
    const application::ProviderView &provider = form.provider;
    const bool isService =
        std::any_of(form.fields.cbegin(), form.fields.cend(),
                    [](const auto &field) { return field.type == QLatin1String("secret"); });
    QStringList words;
    if (isService)
        words << tr("Nothing is to be installed.");
    if (!provider.proof.isEmpty())
        words << (provider.proof.endsWith(QLatin1Char('.')) ? provider.proof
                                                            : provider.proof + QLatin1Char('.'));
    m_words->setText(words.join(QLatin1Char(' ')));
    m_address = provider.consoleUrl;
    m_console->setVisible(!m_address.isEmpty());
    m_console->setToolTip(toolTipOf(m_address));
    m_console->setAccessibleName(tr("Open the console of %1").arg(provider.label));
    setVisible(!words.isEmpty() || !m_address.isEmpty());
}

} // namespace berth::ui
