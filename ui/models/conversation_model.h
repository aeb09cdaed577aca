// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/events.h"
#include "ui/conversation/ansi_text.h"

#include <QtCore/QAbstractListModel>

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
    };

    explicit ConversationModel(QObject *parent = nullptr);
    ~ConversationModel() override;

    void clear();
    //! All of a thread; rows that were open stay open, and output that was read is kept.
    void set(const application::ThreadDetail &detail);
    void apply(const application::Event &event);
    void update(const application::ToolCallView &call);

    [[nodiscard]] const domain::ThreadId &thread() const { return m_thread; }
    void setOpen(const QModelIndex &index, bool open);
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

private:
    struct Row
    {
        Kind kind = Kind::User;
        application::MessageView message;
        application::ToolCallView call;
        //! By the user; unset: open while running or failed.
        std::optional<bool> open;
        OutputTail output;
    };
    using Rows = std::vector<std::unique_ptr<Row>>;

    void add(const application::MessageView &message);
    void put(const application::ToolCallView &call);
    void insert(size_t at, std::unique_ptr<Row> row);
    [[nodiscard]] Row *rowOf(const domain::ToolCallId &id) const;
    [[nodiscard]] static bool isOpen(const Row &row);
    void changed(const Row &row);
    void noteUnderWay();

    domain::ThreadId m_thread;
    Rows m_rows;
    domain::ToolCallId m_underWay;
};

} // namespace berth::ui

Q_DECLARE_METATYPE(const berth::ui::OutputTail *)
