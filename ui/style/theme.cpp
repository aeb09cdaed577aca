// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/theme.h"

#include "ui/style/berth_style.h"

#include <QtCore/QEvent>
#include <QtWidgets/QApplication>

namespace berth::ui {

QString wireName(ThemeMode mode)
{
    switch (mode) {
    case ThemeMode::System:
        return QStringLiteral("system");
    case ThemeMode::Light:
        return QStringLiteral("light");
    case ThemeMode::Dark:
        return QStringLiteral("dark");
    }
    return {};
}

ThemeMode themeModeFromWire(const QString &name)
{
    if (name == QLatin1String("light"))
        return ThemeMode::Light;
    return name == QLatin1String("dark") ? ThemeMode::Dark : ThemeMode::System;
}

Theme::Theme(QApplication &application, ThemeMode mode) : m_style(new BerthStyle(mode))
{
    QApplication::setStyle(m_style); // takes it over
    QApplication::setPalette(QPalette());
    application.installEventFilter(this);
    m_shown = m_style->tokens();
}

Theme::~Theme() = default;

ThemeMode Theme::mode() const
{
    return m_style ? m_style->mode() : ThemeMode::System;
}

void Theme::setMode(ThemeMode mode)
{
    if (!m_style || mode == m_style->mode())
        return;
    m_style->setMode(mode);
    // Nothing is set: the platform's palette is taken again, and the style's polish() gives it our
    // colours.
    QApplication::setPalette(QPalette());
    Q_EMIT modeChanged(mode);
}

bool Theme::highContrast() const
{
    return m_style && m_style->highContrast();
}

void Theme::setHighContrast(bool on)
{
    if (!m_style || on == m_style->highContrast())
        return;
    m_style->setHighContrast(on);
    QApplication::setPalette(QPalette());
}

const Tokens &Theme::tokens() const
{
    return m_style ? m_style->tokens() : m_shown;
}

bool Theme::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() == QEvent::ApplicationPaletteChange && m_style
        && !(m_style->tokens() == m_shown)) {
        m_shown = m_style->tokens();
        QMetaObject::invokeMethod(this, &Theme::changed, Qt::QueuedConnection);
    }
    return QObject::eventFilter(watched, event);
}

} // namespace berth::ui
