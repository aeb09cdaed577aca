// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/secret_field.h"

#include "domain/provider/schema.h"
#include "ui/widgets/button.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/flow_row.h"
#include "ui/widgets/label.h"

#include <QtGui/QKeyEvent>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

const QString kEnvironment = QStringLiteral("environment:");

//! Names where a key is and is none itself.
bool isKeyReference(const QString &text)
{
    return text.startsWith(QLatin1String("${")) && text.endsWith(QLatin1Char('}'))
        && text.count(QLatin1Char('$')) == 1;
}

QLineEdit *keyLine(const QString &name)
{
    auto *line = new QLineEdit;
    line->setEchoMode(QLineEdit::Password);
    line->setAccessibleName(name);
    // Nothing that is typed here is learned by an input method.
    line->setInputMethodHints(Qt::ImhHiddenText | Qt::ImhNoPredictiveText | Qt::ImhSensitiveData);
    return line;
}

} // namespace

SecretField::SecretField(const application::FieldView &field, QWidget *parent)
    : QWidget(parent),
      m_field(field),
      m_line(keyLine(field.label)),
      m_reveal(new Button(tr("Show"))),
      m_store(new Button(tr("Store a key…"))),
      m_remove(new Button(tr("Remove"))),
      m_origin(new Label(TextRole::Caption, Ink::Secondary)),
      m_keepRow(new FlowRow),
      m_keep(new Switch(tr("Keep it in the file, which only you can read")))
{
    setFocusProxy(m_line);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_line, 1);
    for (Button *button : {m_reveal, m_store, m_remove})
        row->addWidget(button);
    column->addLayout(row);
    m_origin->setWrapped(true);
    column->addWidget(m_origin);
    m_keepRow->addWidget(m_keep);
    auto *words = new Label(m_keep->accessibleName());
    words->setBuddy(m_keep);
    m_keepRow->addWidget(words);
    column->addWidget(m_keepRow);
    m_panel = buildPanel();
    column->addWidget(m_panel);
    m_remove->setAccessibleName(tr("Remove the key"));
    m_reveal->setAccessibleName(tr("Show what is typed"));

    connect(m_line, &QLineEdit::textEdited, this, [this] {
        m_touched = true;
        refresh();
        Q_EMIT edited();
    });
    connect(m_line, &QLineEdit::editingFinished, this, &SecretField::finished);
    connect(m_keep, &QAbstractButton::clicked, this, &SecretField::edited);
    connect(m_reveal, &QPushButton::clicked, this, [this] {
        m_revealed = !m_revealed;
        refresh();
    });
    connect(m_store, &QPushButton::clicked, this, [this] { open(Panel::Store); });
    connect(m_remove, &QPushButton::clicked, this, &SecretField::remove);
    open(Panel::None);
    setSaved(field, false);
}

QWidget *SecretField::buildPanel()
{
    auto *panel = new QWidget;
    auto *column = new QVBoxLayout(panel);
    column->setContentsMargins(0, 4, 0, 4);
    column->setSpacing(6);
    m_panelWords = new Label(TextRole::Caption, Ink::Secondary);
    m_panelWords->setWrapped(true);
    auto *row = new QHBoxLayout;
    row->setSpacing(8);
    m_storeLine = keyLine(tr("Key for the key store"));
    m_storeLine->setPlaceholderText(tr("Paste the key"));
    m_confirm = new Button({}, ButtonKind::Primary);
    auto *cancel = new Button(tr("Cancel"));
    row->addWidget(m_storeLine, 1);
    row->addWidget(cancel);
    row->addWidget(m_confirm);
    row->setAlignment(Qt::AlignLeading);
    column->addWidget(m_panelWords);
    column->addLayout(row);
    connect(m_storeLine, &QLineEdit::textChanged, this, &SecretField::refresh);
    connect(m_storeLine, &QLineEdit::returnPressed, this, &SecretField::confirm);
    connect(m_confirm, &QPushButton::clicked, this, &SecretField::confirm);
    connect(cancel, &QPushButton::clicked, this, [this] {
        open(Panel::None);
        m_store->setFocus(Qt::OtherFocusReason);
    });
    return panel;
}

void SecretField::setSaved(const application::FieldView &field, bool hasKeyStore)
{
    m_field = field;
    m_hasKeyStore = hasKeyStore;
    m_touched = false;
    m_revealed = false;
    m_line->setText(field.value);
    m_keep->setChecked(false);
    open(Panel::None);
}

QString SecretField::value() const
{
    return m_line->text().trimmed();
}

bool SecretField::holdsKey() const
{
    return m_touched && !value().isEmpty() && !isKeyReference(value());
}

QString SecretField::problem() const
{
    if (!holdsKey())
        return {};
    domain::SchemaField schema;
    schema.type = domain::FieldType::Secret;
    schema.label = m_field.label;
    schema.pattern = m_field.pattern;
    schema.patternHint = m_field.patternHint;
    if (const std::optional<QString> wrong = domain::validationProblem(schema, value()))
        return *wrong;
    if (!m_keep->isChecked())
        return m_hasKeyStore
            ? tr("Say where the key is to be kept: in the file, or store it in the key store.")
            : tr("Say that the key is to be kept in the file.");
    return {};
}

void SecretField::open(Panel panel)
{
    m_open = panel;
    m_storeLine->clear();
    m_panel->setVisible(panel != Panel::None);
    m_storeLine->setVisible(panel == Panel::Store);
    m_confirm->setText(panel == Panel::Remove ? tr("Remove the key") : tr("Store"));
    m_confirm->setKind(panel == Panel::Remove ? ButtonKind::Danger : ButtonKind::Primary);
    m_panelWords->setText(panel == Panel::Remove
                              ? tr("The key is removed from the desktop's key store. Whoever has "
                                   "no other copy makes a new one at the service.")
                              : tr("It goes to your desktop's key store, not to the file, and "
                                   "wins over the environment."));
    if (panel == Panel::Store && holdsKey()) {
        // Typed above already.
        m_storeLine->setText(value());
        m_line->setText(m_field.value);
        m_touched = false;
        Q_EMIT edited();
    }
    refresh();
    if (panel == Panel::Store)
        m_storeLine->setFocus(Qt::OtherFocusReason);
}

void SecretField::confirm()
{
    if (m_open == Panel::Store && m_storeLine->text().trimmed().isEmpty())
        return;
    const QString key = m_open == Panel::Store ? m_storeLine->text().trimmed() : QString();
    Q_EMIT storeRequested(key);
}

void SecretField::remove()
{
    if (m_field.origin == QLatin1String("key_store")) {
        open(Panel::Remove);
        return;
    }
    m_line->clear();
    m_touched = true;
    refresh();
    Q_EMIT edited();
}

void SecretField::refresh()
{
    const bool typed = holdsKey();
    m_line->setEchoMode(value().isEmpty() || isKeyReference(value()) || (typed && m_revealed)
                            ? QLineEdit::Normal
                            : QLineEdit::Password);
    const bool there = !m_field.hint.isEmpty();
    const bool removed = m_touched && value().isEmpty();
    m_line->setPlaceholderText(there && !removed
                                   ? QStringLiteral("••••••••••••%1").arg(m_field.hint.mid(1))
                                   : m_field.placeholder);
    m_reveal->setVisible(typed);
    m_reveal->setText(m_revealed ? tr("Hide") : tr("Show"));
    m_keepRow->setVisible(typed);
    m_store->setVisible(m_hasKeyStore && m_open == Panel::None);
    const bool stands = m_field.origin == QLatin1String("file")
        || m_field.origin == QLatin1String("key_store") || !m_field.value.isEmpty();
    m_remove->setVisible(stands && !m_touched && m_open == Panel::None);
    m_confirm->setEnabled(m_open == Panel::Remove || !m_storeLine->text().trimmed().isEmpty());
    m_origin->setText(originText());
    m_line->setAccessibleDescription(m_origin->text());
}

QString SecretField::originText() const
{
    if (m_touched) {
        if (value().isEmpty())
            return tr("Saving takes the key out of the file.");
        return isKeyReference(value()) ? tr("Saving writes this reference into the file.")
                                       : QString();
    }
    const QString &origin = m_field.origin;
    if (origin == QLatin1String("file"))
        return tr("From the file: %1").arg(m_field.hint);
    if (origin == QLatin1String("key_store"))
        return tr("From the desktop's key store: %1").arg(m_field.hint);
    if (origin.startsWith(kEnvironment))
        return tr("From the environment: %1 %2", "variable, end of the key")
            .arg(origin.mid(kEnvironment.size()), m_field.hint);
    const QString names = m_field.environmentVariables.join(QStringLiteral(", "));
    if (names.isEmpty())
        return m_hasKeyStore ? tr("No key yet: store one, or type one to keep it in the file.")
                             : tr("No key yet: type one to keep it in the file.");
    return m_hasKeyStore
        ? tr("No key yet: store one, or set %1 where Berth is started.").arg(names)
        : tr("No key yet, and no desktop key store here: set %1 where Berth is started, or type "
             "one to keep it in the file.")
              .arg(names);
}

void SecretField::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Escape && m_open != Panel::None) {
        open(Panel::None);
        m_store->setFocus(Qt::OtherFocusReason);
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace berth::ui
