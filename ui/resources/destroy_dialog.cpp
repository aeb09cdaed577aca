// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/resources/destroy_dialog.h"

namespace berth::ui {

namespace {

//! Titles of threads that are named; the others are counted.
constexpr int kNamedThreads = 3;

} // namespace

DestroyDialog::DestroyDialog(const QString &name, const application::RuntimeView &runtime,
                             QWidget *parent)
    : ConfirmDialog(wordsFor(name, runtime), parent)
{}

ConfirmDialog::Words DestroyDialog::wordsFor(const QString &name,
                                             const application::RuntimeView &runtime)
{
    Words words;
    words.question = tr("Destroy %1?").arg(name);
    words.action = tr("Destroy");
    words.place = runtime.image.isEmpty()
        ? runtime.providerLabel
        : tr("%1 · %2", "provider and image").arg(runtime.providerLabel, runtime.image);
    words.text << (runtime.destroyLoses.isEmpty()
                       ? tr("The instance at %1 and everything stored in it is removed for good.")
                             .arg(runtime.providerLabel)
                       : runtime.destroyLoses);
    if (runtime.threads.isEmpty())
        return words;
    QStringList titles;
    for (const application::ThreadLink &thread : runtime.threads.mid(0, kNamedThreads))
        titles.append(tr("“%1”").arg(thread.title));
    const auto more = static_cast<int>(runtime.threads.size()) - static_cast<int>(titles.size());
    QString list = titles.join(tr(", ", "between titles of threads"));
    if (more > 0)
        list = tr("%1 and %n more", nullptr, more).arg(list);
    words.text << tr("Used by %1. What was said there stays readable; the next message starts in "
                     "an empty sandbox.")
                      .arg(list);
    return words;
}

} // namespace berth::ui
