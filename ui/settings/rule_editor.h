// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

class QLineEdit;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Button;
class Label;
class RadioChips;

//! What a rule is to match, with examples that the Engine makes: lines that it would allow, and
//! lines that would still ask.
class RuleEditor final : public QWidget
{
    Q_OBJECT
public:
    explicit RuleEditor(application::EngineClient &client, QWidget *parent = nullptr);

    //! \a patterns: choices to begin with; the first is taken.
    void begin(const application::RuleView &rule, const QStringList &patterns);
    //! The user may choose what it decides and for whom; else both stay as given.
    void setOpenEnded(bool openEnded);
    [[nodiscard]] application::RuleView rule() const;
    void showProblem(const domain::Error &error);

    [[nodiscard]] QLineEdit *patternLine() const { return m_pattern; }
    [[nodiscard]] RadioChips *patternChoice() const { return m_choice; }
    [[nodiscard]] RadioChips *decisionChoice() const { return m_decision; }
    [[nodiscard]] Label *matches() const { return m_matches; }
    [[nodiscard]] Label *asks() const { return m_asks; }
    [[nodiscard]] Button *acceptButton() const { return m_accept; }

Q_SIGNALS:
    void accepted(const berth::application::RuleView &rule);
    void cancelled();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void onEdited();
    void tryIt();
    void refresh();

    application::EngineClient &m_client;
    application::RuleView m_rule;
    RadioChips *m_choice;
    QLineEdit *m_pattern;
    RadioChips *m_decision;
    QWidget *m_decisionRow;
    Label *m_matches;
    Label *m_asks;
    Label *m_problem;
    Button *m_accept;
    QBasicTimer m_soon;
    int m_tries = 0;
    bool m_good = false;
};

} // namespace berth::ui
