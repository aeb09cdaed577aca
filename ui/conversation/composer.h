// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/error.h"
#include "ui/widgets/card.h"

#include <QtWidgets/QPlainTextEdit>

class QHBoxLayout;

namespace berth::ui {

class Banner;
class Button;
class IconButton;
class Label;
class Spinner;

//! The text box of a composer: grows with its text, and knows the keys that send.
class ComposerEdit final : public QPlainTextEdit
{
    Q_OBJECT
public:
    explicit ComposerEdit(QWidget *parent = nullptr);

    void setRows(int least, int most);
    //! Return alone sends; Shift+Return stays a new line.
    void setEnterSends(bool on) { m_enterSends = on; }
    //! Files that are dropped or pasted are told of; else their addresses are text.
    void setTakesFiles(bool on) { m_takesFiles = on; }
    //! Of this machine; empty: \a source has none.
    [[nodiscard]] static QList<QByteArray> filesIn(const QMimeData *source);

Q_SIGNALS:
    void filesGiven(const QList<QByteArray> &localPaths);
    void sendPressed();
    void focusChanged(bool focused);

protected:
    void keyPressEvent(QKeyEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool canInsertFromMimeData(const QMimeData *source) const override;
    void insertFromMimeData(const QMimeData *source) override;

private:
    void fit();
    void applyFont();
    int m_least = 1;
    int m_most = 8;
    bool m_enterSends = false;
    bool m_takesFiles = false;
};

//! Where the user writes. A text that starts with "!" is sent; while no model is connected any
//! other stays a draft, with "Connect a model" and "Run as command" beside it, and is never run by
//! itself.
class Composer final : public Card
{
    Q_OBJECT
public:
    explicit Composer(const QString &sendText, QWidget *parent = nullptr);

    [[nodiscard]] QString text() const;
    void setText(const QString &text);
    void clear();
    void setHasModel(bool hasModel);
    void setPlaceholder(const QString &text);
    void setRows(int least, int most);
    void setEnterSends(bool on);
    //! In front of the row below the text: the sandbox.
    void setLeading(QWidget *widget);
    //! Above the text: files that go with it. From then on files can be given.
    void setAttachments(QWidget *widget);
    //! Why no files can be given now; empty: they can.
    void setAttachRefusal(const QString &reason);
    //! Something can be stopped: Stop takes the place of Send while nothing is written.
    void setStoppable(bool stoppable);
    void setStopping(bool stopping);
    //! Sending: the text stays, and cannot be changed.
    void setBusy(bool busy);
    //! Why it cannot be sent at all now; empty: it can.
    //! \a commands: those wait for it too.
    void setBlocked(const QString &reason, bool commands = true);
    //! A command is asked about before it is sent, until that was allowed once; empty: not asked.
    void setConfirmation(const QString &words);
    void showError(const domain::Error &error);
    //! What is written takes the place of an earlier message; said above it, with a way back.
    void setEditing(bool editing);
    [[nodiscard]] bool isEditing() const { return m_editing; }
    //! In front of Send: what was used so far, with more of it in the tooltip.
    void setUsage(const QString &text, const QString &detail);
    //! Behind the sandbox: who answers.
    void setModelName(const QString &name);
    //! What Ctrl+Return does.
    void submit();

    [[nodiscard]] ComposerEdit *edit() const { return m_edit; }
    [[nodiscard]] Button *sendButton() const { return m_send; }
    [[nodiscard]] Button *stopButton() const { return m_stop; }
    [[nodiscard]] IconButton *attachButton() const { return m_attach; }
    [[nodiscard]] Banner *draftBar() const { return m_draftBar; }
    [[nodiscard]] Button *connectButton() const { return m_connect; }
    [[nodiscard]] Button *runButton() const { return m_run; }
    [[nodiscard]] Banner *editBar() const { return m_editBar; }
    [[nodiscard]] Label *usage() const { return m_usage; }
    [[nodiscard]] Banner *errorBar() const { return m_errorBar; }
    [[nodiscard]] Banner *confirmBar() const { return m_confirmBar; }
    [[nodiscard]] Button *keepButton() const { return m_keep; }
    [[nodiscard]] Button *allowButton() const { return m_allow; }

Q_SIGNALS:
    void submitted(const QString &text, bool asCommand);
    //! The question of setConfirmation() was answered with yes; submitted() follows.
    void confirmed();
    void stopRequested();
    void editingCancelled();
    void connectModelRequested();
    void textEdited(const QString &text);
    //! The user wants to choose files.
    void attachRequested();
    //! Dropped or pasted, paths of this machine.
    void filesGiven(const QList<QByteArray> &localPaths);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void onTextChanged();
    void send(bool asCommand);
    void refresh();
    [[nodiscard]] bool isCommand() const;
    [[nodiscard]] bool isBlocked(bool asCommand) const;
    [[nodiscard]] bool isEmpty() const;

    ComposerEdit *m_edit;
    Banner *m_draftBar;
    Button *m_connect;
    Button *m_run;
    Banner *m_editBar;
    Banner *m_errorBar;
    Banner *m_confirmBar;
    Button *m_keep;
    Button *m_allow;
    QString m_confirmation;
    //! What the question is about.
    bool m_askedAsCommand = false;
    QHBoxLayout *m_row;
    IconButton *m_attach;
    Label *m_hint;
    Label *m_usage;
    Label *m_modelName;
    Spinner *m_spinner;
    Button *m_stop;
    Button *m_send;
    QString m_blocked;
    bool m_blocksCommands = true;
    bool m_hasModel = false;
    bool m_stoppable = false;
    bool m_busy = false;
    bool m_setting = false;
    bool m_editing = false;
};

} // namespace berth::ui
