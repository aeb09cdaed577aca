// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/contract/views.h"
#include "domain/result.h"
#include "ui/models/conversation_model.h"

#include <QtCore/QBasicTimer>
#include <QtCore/QHash>
#include <QtCore/QSet>
#include <QtWidgets/QWidget>

class QLineEdit;
class QSplitter;
class QStackedWidget;

namespace berth::application {
struct SendMessage;
}

namespace berth::ui {

class ApprovalPanel;
class AttachmentBar;
class Banner;
class Button;
class Chip;
class Composer;
class ConversationView;
class EngineState;
class ExportStrip;
class IconButton;
class Label;
class LockChip;
class OutputCopy;
class OutputViewer;
class PageHeader;
class PictureShelf;
class RunAnyway;
class RunStrip;
class TerminalPanel;
class TerminalSessions;
class ThreadRuns;
class ThreadSearch;

//! One thread: its turns, where it runs, and the composer.
class ConversationPage final : public QWidget
{
    Q_OBJECT
public:
    explicit ConversationPage(EngineState &state, QWidget *parent = nullptr);
    ~ConversationPage() override;

    void openThread(const domain::ThreadId &thread);
    [[nodiscard]] const domain::ThreadId &thread() const { return m_thread; }
    //! Writes what was typed to the Engine now.
    void flushDraft();
    void rename();
    //! Esc: back from the viewer, or stop. False: nothing to do.
    bool escape();
    void setEnterSends(bool on);
    //! Opens the search, in the thread or in the output that is shown.
    void find();
    //! Uploads files of this machine for the next message, or says why that cannot be.
    void attach(const QList<QByteArray> &localPaths);
    //! Adds the terminal beside the conversation.
    void setTerminals(TerminalSessions &sessions);
    [[nodiscard]] TerminalPanel *terminals() const { return m_terminals; }
    [[nodiscard]] Button *terminalButton() const { return m_terminalButton; }
    //! Shows it and gives it the focus, or puts it away.
    void toggleTerminals();
    //! Whether it is open, and how large it is.
    [[nodiscard]] QByteArray terminalLayout() const;
    void restoreTerminalLayout(const QByteArray &layout);

    [[nodiscard]] Composer *composer() const { return m_composer; }
    [[nodiscard]] ConversationView *view() const { return m_view; }
    [[nodiscard]] ConversationModel *model() const { return m_model; }
    [[nodiscard]] OutputViewer *viewer() const { return m_viewer; }
    [[nodiscard]] Chip *binding() const { return m_binding; }
    [[nodiscard]] Banner *notice() const { return m_notice; }
    [[nodiscard]] RunStrip *runStrip() const { return m_runStrip; }
    [[nodiscard]] ApprovalPanel *approvals() const { return m_approvals; }
    [[nodiscard]] ThreadRuns *runs() const { return m_runs; }
    [[nodiscard]] RunAnyway *runAnyway() const { return m_anyway; }
    [[nodiscard]] ThreadSearch *search() const { return m_search; }
    [[nodiscard]] AttachmentBar *attachments() const { return m_attachments; }
    [[nodiscard]] PictureShelf *pictures() const { return m_pictures; }
    [[nodiscard]] ExportStrip *exports() const { return m_exports; }
    [[nodiscard]] IconButton *moreButton() const { return m_more; }
    [[nodiscard]] QLineEdit *titleEdit() const { return m_titleEdit; }
    [[nodiscard]] bool isViewerOpen() const;

Q_SIGNALS:
    void connectModelRequested();
    void showRuntime(const QString &runtime);

protected:
    void timerEvent(QTimerEvent *event) override;
    void hideEvent(QHideEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void load();
    void onEvent(const application::Event &event);
    void showThread();
    void showUnderWay();
    void send(const QString &text, bool asCommand);
    //! \a files: those attached ones that it names.
    void sendMessage(const application::SendMessage &command, const QList<int> &files);
    //! A command of the user's own although the policy denies it.
    void sendAnyway(const QString &text, bool asCommand);
    void sent(const domain::ThreadId &thread, const domain::Result<application::Started> &started,
              const QList<int> &files);
    void stop();
    void stopRun();
    void continueRun();
    void retryNow();
    void beginEdit(qint64 seq, const QString &text);
    void endEdit(bool keepText);
    void endRename(bool keep);
    void keepEdit();
    void takeEdit();
    void buildTools(QWidget *talk);
    void openMoreMenu();
    void showPicture(quint64 row, const QString &path);
    void chooseFiles(bool folder);
    void showAttachments();
    void showAgent();
    [[nodiscard]] QString attachRefusal() const;
    [[nodiscard]] QString workingDirectory() const;
    void showOutput(const domain::ToolCallId &call);
    void closeViewer();
    void setTerminalsOpen(bool open);
    void showTerminalTarget();
    void arrangeTerminals();

    EngineState &m_state;
    domain::ThreadId m_thread;
    ConversationModel *m_model;
    ThreadRuns *m_runs;
    OutputCopy *m_copy;
    PictureShelf *m_pictures;
    ThreadSearch *m_search = nullptr;
    ExportStrip *m_exports = nullptr;
    AttachmentBar *m_attachments = nullptr;
    IconButton *m_more = nullptr;
    PageHeader *m_header;
    Chip *m_binding;
    IconButton *m_rename;
    QLineEdit *m_titleEdit;
    Button *m_resources;
    Banner *m_notice;
    RunStrip *m_runStrip = nullptr;
    ApprovalPanel *m_approvals = nullptr;
    Label *m_agent = nullptr;
    Banner *m_loadError;
    QStackedWidget *m_pages;
    ConversationView *m_view;
    OutputViewer *m_viewer;
    Composer *m_composer;
    RunAnyway *m_anyway = nullptr;
    LockChip *m_sandboxChip = nullptr;
    Button *m_terminalButton = nullptr;
    QSplitter *m_splitter = nullptr;
    TerminalPanel *m_terminals = nullptr;
    //! Of the terminal's part, beside and below; per mille.
    int m_shareBeside = 450;
    int m_shareBelow = 450;
    bool m_terminalsOpen = false;
    QBasicTimer m_ages;
    QBasicTimer m_draftDue;
    //! Whose user allowed commands without isolation.
    QSet<domain::ThreadId> m_confirmed;
    //! As the Engine knows it.
    QString m_savedDraft;
    //! The message that is being edited; 0: none. And what stood in the composer before.
    qint64 m_editing = 0;
    QString m_beforeEdit;
    //! Edits under way in threads that are not shown.
    struct Edit
    {
        qint64 seq = 0;
        QString text;
        QString before;
    };
    QHash<domain::ThreadId, Edit> m_edits;
    //! Threads whose message is on its way.
    QSet<domain::ThreadId> m_sending;
};

} // namespace berth::ui
