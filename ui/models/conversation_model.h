// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "ui/conversation/ansi_text.h"
#include "ui/conversation/markdown.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QBasicTimer>
#include <QtCore/QSet>

#include <memory>
#include <vector>

namespace berth::ui {

//! The end of a command's output, as far as a card shows it.
struct OutputTail
{
    //! Nothing was read yet.
    bool loaded = false;
    bool loading = false;
    //! Where in the whole output the text begins.
    qint64 offset = 0;
    qint64 total = 0;
    AnsiText text{512};
    //! Grows with each change of text.
    int version = 0;
    QString error;
};

//! One thread: messages and tool calls in the order in which they belong.
class ConversationModel final : public QAbstractListModel
{
    Q_OBJECT
public:
    enum class Kind { User, Agent, Note, ToolCall };
    enum Role {
        //! int of Kind
        KindRole = Qt::UserRole + 1,
        TextRole,
        //! application::ToolCallView
        CallRole,
        OpenRole,
        //! const OutputTail *, valid until the row goes.
        OutputRole,
        //! application::MessageView
        MessageRole,
        //! const Markdown * of an agent's message, valid until the row goes.
        MarkdownRole,
        //! quint64, another one for each row there ever was.
        KeyRole,
        //! int, grows with each change of the row.
        VersionRole,
        //! The reply is still being written.
        LiveRole,
        //! What a reply does or why it ends where it does, in words; empty: nothing to say.
        StatusRole,
        //! What the agent thought is shown.
        ReasoningOpenRole,
        //! More than a few lines of a file or of a change are shown.
        ExpandedRole,
    };

    explicit ConversationModel(QObject *parent = nullptr);
    ~ConversationModel() override;

    void clear();
    //! All of a thread; of the same one, rows keep their keys, what was opened and what was read.
    void set(const application::ThreadDetail &detail);
    void apply(const application::Event &event);
    void update(const application::ToolCallView &call);

    [[nodiscard]] const domain::ThreadId &thread() const { return m_thread; }
    //! Of a tool call its output, of an agent's message what it thought.
    void setOpen(const QModelIndex &index, bool open);
    void setExpanded(const QModelIndex &index, bool expanded);
    //! The one that Stop means: the last that is under way. nullptr: none.
    [[nodiscard]] const application::ToolCallView *underWay() const;
    //! Something was run in it at some time.
    [[nodiscard]] bool hasCalls() const;
    [[nodiscard]] const application::ToolCallView *call(const domain::ToolCallId &id) const;
    [[nodiscard]] QModelIndex indexOf(const domain::ToolCallId &id) const;

    //! Calls whose output is to be shown and is not up to date.
    [[nodiscard]] QList<domain::ToolCallId> wanting() const;
    void setLoading(const domain::ToolCallId &id);
    void setOutput(const domain::ToolCallId &id, const application::OutputChunk &chunk);
    void setOutputError(const domain::ToolCallId &id, const domain::Error &error);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;

Q_SIGNALS:
    //! There is something in wanting().
    void outputWanted();
    void underWayChanged();
    //! A piece of a reply was missed: take the thread again.
    void reloadWanted();

protected:
    void timerEvent(QTimerEvent *event) override;

private:
    struct Row
    {
        Kind kind = Kind::User;
        application::MessageView message;
        application::ToolCallView call;
        //! By the user; unset: open while running or failed.
        std::optional<bool> open;
        bool expanded = false;
        OutputTail output;
        quint64 key = 0;
        int version = 0;
        Markdown markdown;
        //! Not yet a message; which reply of its run, and what of its beginning was missed.
        bool live = false;
        int round = 0;
        qint64 base = 0;
        qint64 reasoningBase = 0;
        QStringList calls;
    };
    using Rows = std::vector<std::unique_ptr<Row>>;

    void add(const application::MessageView &message);
    void grow(const application::ReplyGrew &grew);
    void showGrown();
    [[nodiscard]] Row *liveRow() const;
    //! What has come of a reply that is being written, as the Engine tells it.
    void takeReply(const application::ThreadDetail &detail);
    void keepLive(Rows &before, const application::ThreadDetail &detail);
    [[nodiscard]] QString accessibleText(const Row &row) const;
    [[nodiscard]] QString statusText(const Row &row) const;
    void put(const application::ToolCallView &call);
    //! Where a call belongs: behind the message that names it and the calls that it names before.
    [[nodiscard]] size_t placeOf(const domain::ToolCallId &id, const domain::RunId &run) const;
    //! Calls that were told of before the message that names them go behind it.
    void gather(const QList<domain::ToolCallId> &calls);
    void insert(size_t at, std::unique_ptr<Row> row);
    //! The row that stands for \a old after the thread was taken again; nullptr: none.
    [[nodiscard]] Row *successorOf(const Row &old) const;
    [[nodiscard]] Row *rowOf(const domain::ToolCallId &id) const;
    [[nodiscard]] static bool isOpen(const Row &row);
    void changed(Row &row);
    void noteUnderWay();

    domain::ThreadId m_thread;
    Rows m_rows;
    domain::ToolCallId m_underWay;
    quint64 m_nextKey = 0;
    //! Text of a reply that came since it was last shown.
    bool m_grown = false;
    QBasicTimer m_growing;
    //! Replies of which a piece was missed, "run/round"; asked for once.
    QSet<QString> m_missed;
    //! Within set(): views take all of it afterwards.
    bool m_resetting = false;
};

} // namespace berth::ui

Q_DECLARE_METATYPE(const berth::ui::OutputTail *)
