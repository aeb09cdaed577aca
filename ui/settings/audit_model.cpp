// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/audit_model.h"

#include "ui/conversation/ansi_text.h"
#include "ui/models/thread_text.h"
#include "ui/style/type_scale.h"
#include "ui/widgets/tool_tip.h"

#include <QtCore/QLocale>

namespace berth::ui {

using application::AuditEntry;

namespace {

QString timeText(const QDateTime &at, QLocale::FormatType format)
{
    return at.isValid() ? QLocale().toString(at.toLocalTime(), format) : QStringLiteral("—");
}

QString oneLine(const QString &text)
{
    QString line = text;
    line.replace(QLatin1Char('\n'), QStringLiteral(" ⏎ "));
    return visibleText(line.replace(QLatin1Char('\t'), QLatin1Char(' ')));
}

QString keyOf(const AuditEntry &entry)
{
    return entry.toolCall.isNull()
        ? entry.at.toString(Qt::ISODateWithMs) + QLatin1Char(' ') + entry.command
        : entry.toolCall.toString();
}

} // namespace

AuditModel::AuditModel(QObject *parent) : QAbstractTableModel(parent) {}

void AuditModel::setNames(const SecurityNames &names)
{
    m_names = names;
    if (!m_entries.isEmpty())
        Q_EMIT dataChanged(index(0, Thread), index(rowCount() - 1, Thread));
}

void AuditModel::reset(const QList<AuditEntry> &entries)
{
    beginResetModel();
    m_entries.clear();
    m_known.clear();
    for (const AuditEntry &entry : entries) {
        m_known.insert(keyOf(entry));
        m_entries.append(entry);
    }
    endResetModel();
}

qsizetype AuditModel::append(const QList<AuditEntry> &entries)
{
    QList<AuditEntry> added;
    for (const AuditEntry &entry : entries) {
        const QString key = keyOf(entry);
        if (m_known.contains(key))
            continue;
        m_known.insert(key);
        added.append(entry);
    }
    if (added.isEmpty())
        return 0;
    const auto first = static_cast<int>(m_entries.size());
    beginInsertRows({}, first, first + static_cast<int>(added.size()) - 1);
    m_entries += added;
    endInsertRows();
    return added.size();
}

QDateTime AuditModel::oldest() const
{
    // Of a call that was denied at once there may be no time.
    for (auto it = m_entries.crbegin(); it != m_entries.crend(); ++it) {
        if (it->at.isValid())
            return it->at;
    }
    return {};
}

QString AuditModel::detailOf(const AuditEntry &entry) const
{
    QStringList lines;
    const QString who = entry.origin == QLatin1String("user") ? tr("You") : tr("The agent");
    lines << tr("%1 · %2 · %3", "time, who, tool")
                 .arg(timeText(entry.at, QLocale::LongFormat), who, verbOf(entry.tool));
    if (!entry.thread.isNull())
        lines << tr("Thread: %1").arg(m_names.thread(entry.thread.toString()));
    QString decision = auditDecisionText(entry.decision).word;
    const QString by = auditReasonText(entry.decidedBy);
    if (!by.isEmpty() && entry.decision != QLatin1String("hook_denied"))
        decision = tr("%1: %2", "decision, by what or whom").arg(decision, by);
    const QString outcome = auditOutcomeText(entry.outcome);
    lines << (outcome.isEmpty()
                  ? decision
                  : tr("%1 · %2", "decision, how the call ended").arg(decision, outcome));
    return lines.join(QLatin1Char('\n'));
}

QString AuditModel::lineOf(const AuditEntry &entry) const
{
    const QStringList parts{
        entry.at.isValid() ? entry.at.toUTC().toString(Qt::ISODateWithMs) : QStringLiteral("—"),
        entry.origin,
        oneLine(entry.thread.isNull() ? QString() : m_names.thread(entry.thread.toString())),
        entry.tool,
        oneLine(entry.command),
        auditDecisionText(entry.decision).word,
        oneLine(auditReasonText(entry.decidedBy)),
        auditOutcomeText(entry.outcome)};
    return parts.join(QLatin1Char('\t'));
}

int AuditModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

int AuditModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString AuditModel::cell(const AuditEntry &entry, int column) const
{
    switch (column) {
    case When:
        return timeText(entry.at, QLocale::ShortFormat);
    case What:
        return oneLine(entry.command);
    case Thread:
        return entry.thread.isNull() ? QString() : m_names.thread(entry.thread.toString());
    case Decision:
        return auditDecisionText(entry.decision).word;
    default:
        return {};
    }
}

QVariant AuditModel::data(const QModelIndex &index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const AuditEntry &entry = m_entries[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return cell(entry, index.column());
    case Qt::ToolTipRole:
        return index.column() == What ? toolTipOf(visibleText(entry.command.left(2000)))
                                      : toolTipOf(detailOf(entry));
    case Qt::FontRole:
        return index.column() == What ? QVariant(fontFor(TextRole::MonoSmall)) : QVariant();
    case Qt::AccessibleTextRole:
        return index.column() == What
            ? tr("%1. %2", "what was done, all about it")
                  .arg(visibleText(entry.command.left(2000)), detailOf(entry))
            : cell(entry, index.column());
    case EntryRole:
        return QVariant::fromValue(entry);
    default:
        return {};
    }
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case When:
        return tr("When");
    case What:
        return tr("What");
    case Thread:
        return tr("Thread");
    case Decision:
        return tr("Decision");
    default:
        return {};
    }
}

AuditFilter::AuditFilter(AuditModel &model, QObject *parent)
    : QSortFilterProxyModel(parent), m_model(model)
{
    setSourceModel(&model);
}

void AuditFilter::setText(const QString &text)
{
    m_text = text.trimmed();
    invalidateFilter();
}

void AuditFilter::setDecision(const QString &decision)
{
    m_decision = decision;
    invalidateFilter();
}

bool AuditFilter::filterAcceptsRow(int row, const QModelIndex &) const
{
    const AuditEntry &entry = m_model.entries()[row];
    const bool isDenial = m_decision == QLatin1String("denied");
    if (!m_decision.isEmpty() && entry.decision != m_decision
        && !(isDenial && entry.decision == QLatin1String("hook_denied")))
        return false;
    return m_text.isEmpty() || m_model.lineOf(entry).contains(m_text, Qt::CaseInsensitive);
}

} // namespace berth::ui
