// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "application/engine_client.h"

#include <QtWidgets/QWidget>

class QPlainTextEdit;
class QStackedWidget;
class QScrollArea;

namespace berth::ui {

class Button;
class ElidedLabel;
class Label;

//! The beginning of one file: text, a picture, or bytes in hexadecimal.
class FilePreview final : public QWidget
{
    Q_OBJECT
public:
    enum class Kind { None, Text, Picture, Bytes, Failed };

    explicit FilePreview(application::EngineClient &client, QWidget *parent = nullptr);

    void showFile(const QString &target, const QString &path, const application::FileView &file);
    void clear();
    [[nodiscard]] Kind kind() const { return m_kind; }
    [[nodiscard]] QString text() const;
    [[nodiscard]] const QString &path() const { return m_path; }
    [[nodiscard]] Button *downloadButton() const { return m_download; }
    [[nodiscard]] Button *copyButton() const { return m_copy; }

    //! What is fetched of a text.
    static constexpr qint64 kTextBytes = 256 * 1024;
    //! Of a picture, which is of no use in part.
    static constexpr qint64 kPictureBytes = 8 * 1024 * 1024;

Q_SIGNALS:
    void downloadAsked(const QString &path);

private:
    void fetch();
    void take(const domain::Result<application::FileChunk> &chunk);
    void show();
    bool showPicture();
    void setNote(const QString &note);

    application::EngineClient &m_client;
    QString m_target;
    QString m_path;
    qint64 m_size = 0;
    qint64 m_wanted = 0;
    QByteArray m_bytes;
    int m_generation = 0;
    Kind m_kind = Kind::None;
    ElidedLabel *m_name;
    Button *m_download;
    Button *m_copy;
    Label *m_note;
    QStackedWidget *m_pages;
    QPlainTextEdit *m_text;
    QScrollArea *m_pictureArea;
    Label *m_picture;
};

} // namespace berth::ui
