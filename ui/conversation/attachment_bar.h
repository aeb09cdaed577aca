// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "domain/id.h"

#include <QtCore/QHash>
#include <QtCore/QList>
#include <QtWidgets/QWidget>

namespace berth::application {
class EngineClient;
}

namespace berth::ui {

class AttachmentChip;
class Banner;
class Button;
class FlowRow;
class TransferQueue;

//! Files that the next message names: uploaded into the sandbox as soon as they are given, one chip
//! each, with progress and a way to take it back. A folder is asked about before, a name that is
//! taken afterwards. What was begun for one thread goes on while another one is looked at.
class AttachmentBar final : public QWidget
{
    Q_OBJECT
public:
    //! Of one thread, at once.
    static constexpr qsizetype kMost = 50;

    explicit AttachmentBar(application::EngineClient &client, QWidget *parent = nullptr);
    ~AttachmentBar() override;

    void setThread(const domain::ThreadId &thread);
    //! Files and folders of this machine. \a folder: where in the sandbox, or home where that is
    //! not there; "": home.
    void add(const QList<QByteArray> &localPaths, const QString &folder);
    //! Uploads and questions without an end.
    [[nodiscard]] int pending() const;
    [[nodiscard]] qsizetype count() const;
    //! What the message says of them, behind its text; empty: there are none.
    [[nodiscard]] QString words() const;
    //! The files that words() names.
    [[nodiscard]] QList<int> named() const;
    //! The message that named \a files was sent; those that came later wait for the next.
    void clear(const domain::ThreadId &thread, const QList<int> &files);

    //! What a chip says; for tests.
    [[nodiscard]] QStringList chipTexts() const;
    [[nodiscard]] QWidget *removeButton(qsizetype chip) const;
    [[nodiscard]] Banner *question() const { return m_question; }
    //! The buttons of the question that are there, in order.
    [[nodiscard]] QList<Button *> answers() const;

Q_SIGNALS:
    void changed();

private:
    enum class State { Asking, Preparing, Uploading, Taken, Done, Failed };
    struct Item
    {
        int id = 0;
        QByteArray localPath;
        QString name;
        bool isFolder = false;
        State state = State::Preparing;
        //! In the sandbox; of a finished one with its name.
        QString folder;
        QString path;
        int transfer = 0;
        int percent = -1;
        domain::Error error;
    };
    using Items = QList<Item>;
    void prepare(const domain::ThreadId &thread, int id);
    void upload(const domain::ThreadId &thread, Item &item);
    void onTransfer(int transfer);
    void remove(int id);
    void answer(int button);
    void refresh();
    [[nodiscard]] Item *find(const domain::ThreadId &thread, int id);
    [[nodiscard]] const Items &items() const;
    //! The first that waits for an answer.
    [[nodiscard]] const Item *asking() const;
    [[nodiscard]] static QString textOf(const Item &item);

    application::EngineClient &m_client;
    TransferQueue *m_transfers;
    FlowRow *m_row;
    Banner *m_question;
    QList<Button *> m_answers;
    QList<AttachmentChip *> m_chips;
    domain::ThreadId m_thread;
    QHash<domain::ThreadId, Items> m_items;
    int m_lastId = 0;
};

} // namespace berth::ui
