// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/id.h"

#include <QtWidgets/QAbstractButton>
#include <QtWidgets/QWidget>

class QListView;

namespace berth::ui {

class ThreadListModel;

//! One entry of the sidebar: glyph, word, and a count or a shortcut at its end.
class NavButton final : public QAbstractButton
{
    Q_OBJECT
public:
    enum class Look { Entry, NewThread };

    NavButton(int glyph, const QString &text, Look look, QWidget *parent = nullptr);

    void setNote(const QString &note);
    [[nodiscard]] const QString &note() const { return m_note; }
    void setCollapsed(bool collapsed);
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    int m_glyph;
    Look m_look;
    QString m_note;
    bool m_collapsed = false;
};

//! New thread, the pages, and the threads.
class Sidebar final : public QWidget
{
    Q_OBJECT
public:
    enum class Entry { None, NewThread, Resources, Agents, Sandboxes, Settings };

    explicit Sidebar(ThreadListModel &threads, QWidget *parent = nullptr);

    void setCollapsed(bool collapsed);
    [[nodiscard]] bool isCollapsed() const { return m_collapsed; }
    void setCurrent(Entry entry);
    void setCurrentThread(const domain::ThreadId &thread);
    void setResourceCount(int count, int needCare);

    [[nodiscard]] QListView *threads() const { return m_list; }
    [[nodiscard]] NavButton *newThread() const { return m_new; }
    [[nodiscard]] NavButton *resources() const { return m_resources; }
    [[nodiscard]] NavButton *agents() const { return m_agents; }
    [[nodiscard]] NavButton *sandboxes() const { return m_sandboxes; }
    [[nodiscard]] NavButton *settings() const { return m_settings; }

Q_SIGNALS:
    void entryChosen(berth::ui::Sidebar::Entry entry);
    void threadChosen(const berth::domain::ThreadId &thread);
    void renameRequested(const berth::domain::ThreadId &thread);
    void archiveRequested(const berth::domain::ThreadId &thread);

protected:
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void choose(const QModelIndex &index);
    void openMenu(const QPoint &at);

    ThreadListModel &m_model;
    NavButton *m_new;
    NavButton *m_resources;
    NavButton *m_agents;
    NavButton *m_sandboxes;
    NavButton *m_settings;
    QListView *m_list;
    bool m_collapsed = false;
};

} // namespace berth::ui
