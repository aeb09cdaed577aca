// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/files/file_model.h"

#include "ui/models/runtime_text.h"
#include "ui/style/icons.h"
#include "ui/style/tokens.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QLocale>

#include <algorithm>

namespace berth::ui {

using application::FileView;
using domain::FileKind;

namespace {

//! As people sort names: without regard to case, numbers by their value. Not QCollator, which knows
//! no numbers in the C locale.
int naturalOrder(const QString &a, const QString &b)
{
    qsizetype i = 0;
    qsizetype j = 0;
    const auto digits = [](const QString &text, qsizetype from) {
        qsizetype end = from;
        while (end < text.size() && text[end].isDigit())
            ++end;
        return end;
    };
    while (i < a.size() && j < b.size()) {
        if (a[i].isDigit() && b[j].isDigit()) {
            const qsizetype endA = digits(a, i);
            const qsizetype endB = digits(b, j);
            while (i < endA - 1 && a[i] == QLatin1Char('0'))
                ++i;
            while (j < endB - 1 && b[j] == QLatin1Char('0'))
                ++j;
            if (endA - i != endB - j)
                return endA - i < endB - j ? -1 : 1;
            for (; i < endA; ++i, ++j) {
                if (a[i] != b[j])
                    return a[i] < b[j] ? -1 : 1;
            }
            continue;
        }
        const QChar left = a[i].toCaseFolded();
        const QChar right = b[j].toCaseFolded();
        if (left != right)
            return QString::localeAwareCompare(QString(left), QString(right)) < 0 ? -1 : 1;
        ++i;
        ++j;
    }
    return static_cast<int>((a.size() - i) - (b.size() - j));
}

} // namespace

FileModel::FileModel(application::EngineClient &client, QObject *parent)
    : QAbstractTableModel(parent), m_client(client)
{}

void FileModel::setTarget(const QString &target)
{
    if (m_target == target)
        return;
    m_target = target;
    ++m_generation;
    beginResetModel();
    m_all.clear();
    m_rows.clear();
    endResetModel();
    m_directory.clear();
    m_next.clear();
    m_error.reset();
    m_fetching = false;
    m_state = State::Idle;
    Q_EMIT stateChanged();
}

void FileModel::open(const QString &path, bool wake)
{
    if (m_target.isEmpty())
        return;
    ++m_generation;
    m_state = State::Loading;
    m_error.reset();
    m_next.clear();
    m_directory = path;
    Q_EMIT stateChanged();
    ask(path, {}, wake);
}

void FileModel::reload()
{
    open(m_directory);
}

void FileModel::ask(const QString &path, const QString &cursor, bool wake)
{
    m_fetching = true;
    application::ListFiles command;
    command.target = m_target;
    command.path = path;
    command.cursor = cursor;
    command.wake = wake;
    application::deliver(this, m_client, command,
                         [this, generation = m_generation, first = cursor.isEmpty()](
                             const domain::Result<application::FileList> &a) {
                             if (generation == m_generation)
                                 take(a, first);
                         });
}

void FileModel::take(const domain::Result<application::FileList> &answer, bool first)
{
    m_fetching = false;
    if (!answer) {
        m_error = answer.error();
        m_next.clear();
        m_state =
            answer.error().kind == domain::ErrorKind::Conflict ? State::Asleep : State::Failed;
        if (first) {
            beginResetModel();
            m_all.clear();
            m_rows.clear();
            endResetModel();
        }
        Q_EMIT stateChanged();
        return;
    }
    if (first) {
        m_all = answer->entries;
        m_directory = answer->directory;
    } else {
        m_all += answer->entries;
    }
    m_next = answer->next;
    m_state = State::Ready;
    arrange();
    Q_EMIT stateChanged();
}

void FileModel::setShowHidden(bool show)
{
    if (m_showHidden == show)
        return;
    m_showHidden = show;
    arrange();
    Q_EMIT stateChanged();
}

int FileModel::hiddenCount() const
{
    return static_cast<int>(m_all.size() - m_rows.size());
}

bool FileModel::opensAsFolder(const FileView &file)
{
    return file.kind == FileKind::Directory || file.linkToDirectory;
}

QString FileModel::joined(const QString &directory, const QString &name)
{
    return directory.endsWith(QLatin1Char('/')) ? directory + name
                                                : directory + QLatin1Char('/') + name;
}

QString FileModel::parentOf(const QString &directory)
{
    const qsizetype slash = directory.lastIndexOf(QLatin1Char('/'));
    return slash <= 0 ? QStringLiteral("/") : directory.left(slash);
}

bool FileModel::before(const FileView &a, const FileView &b) const
{
    if (opensAsFolder(a) != opensAsFolder(b))
        return opensAsFolder(a);
    const bool up = m_order == Qt::AscendingOrder;
    if (m_sortColumn == Size && a.size != b.size)
        return up ? a.size < b.size : a.size > b.size;
    if (m_sortColumn == Modified && a.modified != b.modified)
        return up ? a.modified < b.modified : a.modified > b.modified;
    const int order = naturalOrder(a.name, b.name);
    if (order != 0)
        return m_sortColumn == Name && !up ? order > 0 : order < 0;
    return a.name < b.name;
}

void FileModel::arrange()
{
    beginResetModel();
    m_rows.clear();
    for (qsizetype at = 0; at < m_all.size(); ++at) {
        if (m_showHidden || !m_all[at].name.startsWith(QLatin1Char('.')))
            m_rows << at;
    }
    std::stable_sort(m_rows.begin(), m_rows.end(),
                     [this](qsizetype a, qsizetype b) { return before(m_all[a], m_all[b]); });
    endResetModel();
}

void FileModel::sort(int column, Qt::SortOrder order)
{
    m_sortColumn = column;
    m_order = order;
    arrange();
}

const FileView *FileModel::entry(const QModelIndex &index) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return nullptr;
    return &m_all[m_rows[index.row()]];
}

QString FileModel::pathOf(const QModelIndex &index) const
{
    const FileView *file = entry(index);
    return file ? joined(m_directory, file->name) : QString();
}

QModelIndex FileModel::find(const QString &name) const
{
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        if (m_all[m_rows[row]].name == name)
            return index(static_cast<int>(row), Name);
    }
    return {};
}

int FileModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int FileModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString FileModel::nameText(const FileView &file) const
{
    QString text = file.name;
    if (file.kind == FileKind::Symlink)
        text += QStringLiteral(" → ") + file.linkTarget;
    if (!file.problem.isEmpty())
        text += QStringLiteral(" · ") + file.problem;
    return text;
}

QVariant FileModel::data(const QModelIndex &index, int role) const
{
    const FileView *file = entry(index);
    if (!file)
        return {};
    const QLocale locale;
    const bool isFolder = opensAsFolder(*file);
    switch (role) {
    case Qt::EditRole:
        return file->name;
    case Qt::DisplayRole:
        if (index.column() == Name)
            return nameText(*file);
        if (index.column() == Size)
            return file->kind == FileKind::Regular ? byteText(file->size) : QStringLiteral("—");
        return file->modified.isValid()
            ? locale.toString(file->modified.toLocalTime(), QLocale::ShortFormat)
            : QStringLiteral("—");
    case Qt::ToolTipRole:
        if (index.column() == Name)
            return toolTipOf(nameText(*file));
        if (index.column() == Size)
            return file->kind == FileKind::Regular
                ? tr("%Ln byte(s)", nullptr, static_cast<int>(qMin<qint64>(file->size, INT_MAX)))
                : QString();
        return file->modified.isValid()
            ? locale.toString(file->modified.toLocalTime(), QLocale::LongFormat)
            : QString();
    case Qt::DecorationRole:
        if (index.column() == Name && isFolder)
            return glyphIcon(Glyph::Folder, tokens(nullptr).textSecondary);
        if (index.column() == Name && !file->problem.isEmpty())
            return glyphIcon(Glyph::Warning, tokens(nullptr).warn);
        return {};
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() == Size ? Qt::AlignTrailing : Qt::AlignLeading)
                                | Qt::AlignVCenter);
    case Qt::AccessibleTextRole:
        return index.column() == Name
            ? tr("%1 %2", "kind of file, name")
                  .arg(isFolder ? tr("Folder") : tr("File"), nameText(*file))
            : data(index, Qt::DisplayRole);
    default:
        return {};
    }
}

QVariant FileModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((section == Size ? Qt::AlignTrailing : Qt::AlignLeading)
                                | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Name:
        return tr("Name");
    case Size:
        return tr("Size");
    default:
        return tr("Modified");
    }
}

Qt::ItemFlags FileModel::flags(const QModelIndex &index) const
{
    Qt::ItemFlags flags = Qt::ItemIsSelectable | Qt::ItemIsEnabled;
    if (index.column() == Name)
        flags |= Qt::ItemIsEditable;
    return flags;
}

bool FileModel::setData(const QModelIndex &index, const QVariant &value, int role)
{
    const FileView *file = entry(index);
    const QString wanted = value.toString();
    if (!file || role != Qt::EditRole || index.column() != Name || wanted.isEmpty()
        || wanted == file->name)
        return false;
    Q_EMIT renameAsked(pathOf(index), joined(m_directory, wanted));
    return true;
}

bool FileModel::canFetchMore(const QModelIndex &parent) const
{
    return !parent.isValid() && !m_fetching && !m_next.isEmpty() && m_all.size() < kMostEntries;
}

void FileModel::fetchMore(const QModelIndex &)
{
    if (canFetchMore({}))
        ask(m_directory, m_next, false);
}

} // namespace berth::ui
