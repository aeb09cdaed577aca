// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

class QLineEdit;
class QVBoxLayout;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class Button;
class Label;

//! What is to be allowed always: one pattern for each command of a line, of which all are needed,
//! each may be changed or left out. With examples that the Engine makes: lines that they would
//! allow, and lines that would still ask.
class RuleEditor final : public QWidget
{
    Q_OBJECT
public:
    explicit RuleEditor(application::EngineClient &client, QWidget *parent = nullptr);

    //! \a rule without a pattern: for whom and what; \a patterns: what is proposed, one rule each.
    void begin(const application::RuleView &rule, const QStringList &patterns);
    //! For somebody or something else, with the patterns as they stand now.
    void retarget(const application::RuleView &rule);
    void setAcceptText(const QString &text);
    //! While it is being saved: nothing of it can be changed.
    void setBusy(bool busy);
    void showProblem(const domain::Error &error);
    //! As they stand now, without those that were emptied.
    [[nodiscard]] QStringList patterns() const;
    [[nodiscard]] application::RuleView ruleOf(const QString &pattern) const;

    [[nodiscard]] const QList<QLineEdit *> &patternLines() const { return m_lines; }
    [[nodiscard]] Label *matches() const { return m_matches; }
    [[nodiscard]] Label *asks() const { return m_asks; }
    [[nodiscard]] Label *problem() const { return m_problem; }
    [[nodiscard]] Button *cancelButton() const { return m_cancel; }
    [[nodiscard]] Button *acceptButton() const { return m_accept; }

Q_SIGNALS:
    void accepted(const QStringList &patterns);
    void cancelled();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    void onEdited();
    void tryIt();
    void onTried(int number, const domain::Result<application::RuleView> &answer);
    void refresh();

    application::EngineClient &m_client;
    application::RuleView m_rule;
    QList<QLineEdit *> m_lines;
    QVBoxLayout *m_patterns;
    Label *m_matches;
    Label *m_asks;
    Label *m_problem;
    Button *m_accept;
    Button *m_cancel;
    QBasicTimer m_soon;
    int m_tries = 0;
    //! Answers of this try that have not come; and the examples of those that have.
    qsizetype m_open = 0;
    QStringList m_allowed;
    QStringList m_asked;
    bool m_good = false;
};

} // namespace berth::ui
