// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/conversation/approval_card.h"
#include "ui/conversation/approval_panel.h"
#include "ui/conversation/composer.h"
#include "ui/conversation/conversation_page.h"
#include "widget/support/window_rig.h"

namespace berth::test {

//! A window with a thread whose agent works and asks, and another one.
struct Asking : WindowRig
{
    Asking()
    {
        other = engine.addThread(QStringLiteral("Another"), QDateTime::currentDateTimeUtc());
        thread = engine.addThread(QStringLiteral("Push it"), QDateTime::currentDateTimeUtc());
        engine.state.engine.hasModel = true;
        engine.agents.ask(thread, QStringLiteral("push"));
    }
    [[nodiscard]] bool start()
    {
        if (!open())
            return false;
        window->showThread(thread);
        return QTest::qWaitFor([this] { return page()->model()->rowCount() > 0; });
    }
    //! A card as it stands once a click on it counts.
    [[nodiscard]] ui::ApprovalCard *card(int at = 0) const
    {
        (void)QTest::qWaitFor([&] { return panel()->cards().size() > at; });
        QTest::qWait(450);
        return panel()->cards().value(at);
    }
    [[nodiscard]] ui::ConversationPage *page() const { return window->conversationPage(); }
    [[nodiscard]] ui::ApprovalPanel *panel() const { return page()->approvals(); }
    [[nodiscard]] ui::ComposerEdit *edit() const { return page()->composer()->edit(); }

    domain::ThreadId thread;
    domain::ThreadId other;
};

} // namespace berth::test
