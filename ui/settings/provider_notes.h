// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtWidgets/QWidget>

namespace berth::ui {

class Label;
class LinkButton;

//! What else is to be known of a service: that it needs nothing installed, how far it was tried,
//! where its own console is.
class ProviderNotes final : public QWidget
{
    Q_OBJECT
public:
    explicit ProviderNotes(QWidget *parent = nullptr);

    void setForm(const application::ProviderForm &form);
    [[nodiscard]] Label *words() const { return m_words; }
    [[nodiscard]] LinkButton *console() const { return m_console; }

private:
    Label *m_words;
    LinkButton *m_console;
    QString m_address;
};

} // namespace berth::ui
