// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/expand_head.h"

#include "ui/style/paint.h"
#include "ui/widgets/chip.h"
#include "ui/widgets/label.h"

#include <QtGui/QKeyEvent>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

using application::ProviderState;

namespace {

constexpr int kChevron = 16;

struct Shown
{
    Tone tone;
    Dot dot;
};

Shown shownState(ProviderState state)
{
    switch (state) {
    case ProviderState::Checking:
        return {Tone::Info, Dot::Half};
    case ProviderState::Ready:
        return {Tone::Ok, Dot::Filled};
    case ProviderState::NotSetUp:
        return {Tone::Neutral, Dot::Ring};
    case ProviderState::NeedsKey:
        return {Tone::Warn, Dot::Half};
    case ProviderState::Unreachable:
        return {Tone::Error, Dot::Ring};
    case ProviderState::Broken:
        return {Tone::Error, Dot::Square};
    }
    return {Tone::Neutral, Dot::None};
}

//! It begins with a name, which keeps its capital within a line.
bool isProper(const QString &text)
{
    static const QStringList names{QStringLiteral("Alibaba"), QStringLiteral("China"),
                                   QStringLiteral("Firecracker"), QStringLiteral("Linux")};
    return names.contains(text.section(QLatin1Char(' '), 0, 0));
}

} // namespace

ExpandHead::ExpandHead(QWidget *parent)
    : QAbstractButton(parent),
      m_mark(new ProviderMark),
      m_label(new Label(TextRole::BodyStrong)),
      m_facts(new ElidedLabel(TextRole::Body, Ink::Caption)),
      m_detail(new ElidedLabel(TextRole::Caption, Ink::Secondary)),
      m_state(new Chip),
      m_chevron(new QWidget)
{
    setCheckable(true);
    // A button's own policy would not let it get narrower than all its words, and would colour its
    // labels.
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setBackgroundRole(QPalette::Window);
    setForegroundRole(QPalette::WindowText);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(19, 11, 16, 11);
    row->setSpacing(8);
    row->addWidget(m_mark, 0, Qt::AlignVCenter);
    auto *words = new QVBoxLayout;
    words->setSpacing(2);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(m_label);
    line->addWidget(m_facts, 1);
    words->addLayout(line);
    words->addWidget(m_detail);
    row->addLayout(words, 1);
    m_state->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    row->addWidget(m_state, 0, Qt::AlignVCenter);
    m_chevron->setFixedSize(kChevron, kChevron);
    row->addWidget(m_chevron, 0, Qt::AlignVCenter);
    for (QWidget *child : {static_cast<QWidget *>(m_mark), static_cast<QWidget *>(m_label),
                           static_cast<QWidget *>(m_facts), static_cast<QWidget *>(m_detail),
                           static_cast<QWidget *>(m_state), m_chevron})
        child->setAttribute(Qt::WA_TransparentForMouseEvents);
}

void ExpandHead::setProvider(const application::ProviderView &provider)
{
    m_mark->setMark(provider.mark);
    // A second config of a kind is told apart by its file's name.
    const bool further = provider.config.toString() != provider.kind;
    m_label->setText(
        further
            ? tr("%1 · %2", "provider and config").arg(provider.label, provider.config.toString())
            : provider.label);
    QStringList facts;
    for (const QString &fact : {provider.isolation, provider.cost, provider.bestFor}) {
        if (!fact.isEmpty())
            facts.append(isProper(fact) ? fact : fact.left(1).toLower() + fact.mid(1));
    }
    m_facts->setFullText(facts.join(QStringLiteral(" · ")));
    const bool asks =
        !provider.unconfirmedOrigins.isEmpty() || !provider.unconfirmedVariables.isEmpty();
    const Shown shown = asks ? Shown{Tone::Warn, Dot::Half} : shownState(provider.state);
    m_state->set(provider.stateText, shown.tone, shown.dot);
    const bool well =
        provider.state == ProviderState::Ready || provider.state == ProviderState::Checking;
    m_detail->setFullText(provider.stateDetail);
    m_detail->setVisible(!well && !provider.stateDetail.isEmpty());
    setAccessibleName(tr("%1, %2", "provider, state").arg(m_label->text(), provider.stateText));
    setAccessibleDescription(well ? m_facts->fullText() : provider.stateDetail);
    updateGeometry();
    update();
}

QSize ExpandHead::sizeHint() const
{
    return layout()->sizeHint();
}

QSize ExpandHead::minimumSizeHint() const
{
    return layout()->minimumSize();
}

void ExpandHead::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Tokens &colors = tokens(this);
    if (underMouse() && isEnabled()) {
        QColor hover = colors.hover;
        paintRounded(painter, QRectF(rect()).adjusted(1, 1, -1, -2), metrics::kCardRadius - 1,
                     hover);
    }
    const Glyph glyph = isChecked() ? Glyph::ChevronDown : Glyph::ChevronRight;
    paintGlyph(painter, QRectF(m_chevron->geometry()), glyph, colors.textCaption);
    if (hasFocus())
        paintFocusRing(painter, QRectF(rect()).adjusted(2, 2, -2, -3), metrics::kCardRadius - 2,
                       colors.accent);
}

void ExpandHead::keyPressEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        click();
        return;
    }
    QAbstractButton::keyPressEvent(event);
}

} // namespace berth::ui
