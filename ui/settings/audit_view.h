// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "ui/settings/security_words.h"

#include <QtCore/QBasicTimer>
#include <QtWidgets/QWidget>

class QLineEdit;
class QPlainTextEdit;
class QTableView;

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class AuditFilter;
class AuditModel;
class Banner;
class Button;
class EmptyState;
class Label;
class RadioChips;
class SearchField;

//! All that agents and the user did in sandboxes and how it was decided. Loads what is older while
//! it is scrolled to.
class AuditView final : public QWidget
{
    Q_OBJECT
public:
    explicit AuditView(application::EngineClient &client, QWidget *parent = nullptr);

    //! From the newest on.
    void load();
    void setNames(const SecurityNames &names);

    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] AuditFilter *filter() const { return m_filter; }
    [[nodiscard]] SearchField *searchField() const { return m_search; }
    [[nodiscard]] RadioChips *decisions() const { return m_decisions; }
    [[nodiscard]] Button *copyButton() const { return m_copy; }
    [[nodiscard]] Button *refreshButton() const { return m_refresh; }
    [[nodiscard]] Button *moreButton() const { return m_more; }
    [[nodiscard]] Label *status() const { return m_status; }
    [[nodiscard]] QPlainTextEdit *command() const { return m_command; }
    //! The rows that are chosen, or else all that are shown, as lines.
    [[nodiscard]] QString text() const;

protected:
    void resizeEvent(QResizeEvent *event) override;
    void timerEvent(QTimerEvent *event) override;

private:
    QWidget *buildTools();
    void buildTable();
    QWidget *buildDetail();
    void ask(const QDateTime &before);
    void take(int generation, bool isFirst, const domain::Result<application::AuditList> &answer);
    void loadMore();
    //! While what is shown does not fill the table, a few pages more.
    void fill();
    void filterChanged();
    void showCurrent();
    void showStatus();
    void copy();

    application::EngineClient &m_client;
    AuditModel *m_model;
    AuditFilter *m_filter;
    SearchField *m_search;
    RadioChips *m_decisions;
    Button *m_copy;
    Button *m_refresh;
    Button *m_more;
    Banner *m_problem;
    QTableView *m_table;
    EmptyState *m_empty;
    QWidget *m_detail = nullptr;
    Label *m_about = nullptr;
    QPlainTextEdit *m_command = nullptr;
    Label *m_status;
    QBasicTimer m_copied;
    int m_generation = 0;
    //! Pages that fill() may still ask for.
    int m_filling = 0;
    bool m_loading = false;
    bool m_loaded = false;
    //! There is nothing older.
    bool m_atEnd = false;
    bool m_plainBefore = false;
};

} // namespace berth::ui
