// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/files/file_model.h"
#include "ui/style/tokens.h"

#include <QtWidgets/QWidget>

#include <functional>

class QCheckBox;
class QLineEdit;
class QStackedWidget;
class QTableView;

namespace berth::ui {

class Banner;
class Button;
class EmptyState;
class FilePreview;
class IconButton;
class Label;
class TransferQueue;
class TransferStrip;

//! Files of one sandbox: look, fetch, bring, rename, delete.
class FileBrowser final : public QWidget
{
    Q_OBJECT
public:
    FileBrowser(application::EngineClient &client, TransferQueue &transfers,
                QWidget *parent = nullptr);

    //! \a target as in ListFiles; \a refusal: why there is nothing to see, empty: there is.
    void setTarget(const QString &target, const QString &name, const QString &refusal);
    //! Looks for the first time, when the page is really shown.
    void enter();

    [[nodiscard]] FileModel *model() const { return m_model; }
    [[nodiscard]] QTableView *table() const { return m_table; }
    [[nodiscard]] QLineEdit *pathEdit() const { return m_path; }
    [[nodiscard]] FilePreview *preview() const { return m_preview; }
    [[nodiscard]] Banner *banner() const { return m_banner; }
    [[nodiscard]] EmptyState *empty() const { return m_empty; }
    [[nodiscard]] Button *uploadButton() const { return m_upload; }
    [[nodiscard]] Button *newFolderButton() const { return m_newFolder; }
    [[nodiscard]] QLineEdit *newFolderEdit() const { return m_newName; }
    [[nodiscard]] QCheckBox *hiddenBox() const { return m_hidden; }

    //! What the buttons and a drop do.
    void upload(const QList<QByteArray> &localPaths);
    void downloadTo(const QByteArray &localFolder);

protected:
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    QWidget *buildBar();
    QWidget *buildNewFolder();
    void openIndex(const QModelIndex &index);
    void showSelection();
    void refresh();
    void askToRemove();
    void removeNext();
    void showMenu(const QPoint &at);
    void pickFiles(bool folder);
    void pickFolderFor(const QString &path);
    void makeFolder();
    void setBanner(Tone tone, const QString &title, const QString &detail);
    void showError(const QString &what, const domain::Error &error);
    [[nodiscard]] QStringList selectedPaths() const;

    application::EngineClient &m_client;
    TransferQueue &m_transfers;
    FileModel *m_model;
    QString m_name;
    QString m_refusal;
    //! To be selected once the list is there.
    QString m_wanted;
    //! What a download was asked for.
    QStringList m_downloads;
    //! Confirmed, one request at a time.
    QStringList m_removing;
    IconButton *m_up = nullptr;
    QLineEdit *m_path = nullptr;
    IconButton *m_reload = nullptr;
    Button *m_upload = nullptr;
    Button *m_newFolder = nullptr;
    QWidget *m_newBar = nullptr;
    QLineEdit *m_newName = nullptr;
    Banner *m_banner = nullptr;
    Button *m_confirm = nullptr;
    Button *m_dismiss = nullptr;
    std::function<void()> m_confirmed;
    QStackedWidget *m_pages = nullptr;
    QTableView *m_table = nullptr;
    EmptyState *m_empty = nullptr;
    Button *m_emptyAction = nullptr;
    Label *m_status = nullptr;
    QCheckBox *m_hidden = nullptr;
    FilePreview *m_preview = nullptr;
    TransferStrip *m_strip = nullptr;
};

} // namespace berth::ui
