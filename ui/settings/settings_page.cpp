// SPDX-FileCopyrightText: 2026 Berth contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/settings_page.h"

#include "ui/models/provider_model.h"
#include "ui/settings/api_section.h"
#include "ui/settings/expand_head.h"
#include "ui/settings/model_section.h"
#include "ui/settings/notification_setting.h"
#include "ui/settings/passthrough_setting.h"
#include "ui/settings/preset_section.h"
#include "ui/settings/provider_card.h"
#include "ui/settings/sandbox_section.h"
#include "ui/settings/section_list.h"
#include "ui/settings/security_section.h"
#include "ui/style/theme.h"
#include "ui/widgets/card.h"
#include "ui/widgets/choices.h"
#include "ui/widgets/form_row.h"
#include "ui/widgets/label.h"
#include "ui/widgets/page_header.h"

#include <QtCore/QTimer>
#include <QtGui/QPainter>
#include <QtWidgets/QHBoxLayout>
#include <QtWidgets/QListWidget>
#include <QtWidgets/QScrollArea>
#include <QtWidgets/QStackedWidget>
#include <QtWidgets/QVBoxLayout>

namespace berth::ui {

namespace {

constexpr int kPageWidth = 856;
constexpr int kPageSide = 32;
constexpr int kNarrowSide = 16;
constexpr int kNarrow = 760;

//! Content of a scroll area that is never pressed together: a scroll area alone gives as little as
//! fields can do with, and counts no wrapped lines.
class WholePage final : public QWidget
{
protected:
    bool event(QEvent *event) override
    {
        const bool done = QWidget::event(event);
        if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
            const int wanted = layout()->hasHeightForWidth()
                ? qMax(layout()->totalHeightForWidth(width()),
                       layout()->totalMinimumHeightForWidth(width()))
                : layout()->totalSizeHint().height();
            if (minimumHeight() != wanted)
                setMinimumHeight(wanted);
        }
        return done;
    }
};

class VerticalLine final : public QWidget
{
public:
    VerticalLine() { setFixedWidth(1); }

protected:
    void paintEvent(QPaintEvent *) override { QPainter(this).fillRect(rect(), tokens(this).line); }
};

Label *wrapped(const QString &text, TextRole role = TextRole::Body, Ink ink = Ink::Secondary)
{
    auto *label = new Label(text, role, ink);
    label->setWrapped(true);
    return label;
}

//! A value that can be selected and copied, in a form's right column.
Label *factLabel(TextRole role = TextRole::Body)
{
    auto *label = wrapped({}, role, Ink::Text);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    label->setMinimumHeight(metrics::kField);
    label->setAlignment(Qt::AlignVCenter | Qt::AlignLeading);
    return label;
}

QWidget *cardWith(const QList<QWidget *> &parts)
{
    auto *card = new Card;
    auto *column = new QVBoxLayout(card);
    column->setContentsMargins(19, 15, 19, 15);
    column->setSpacing(8);
    for (QWidget *part : parts)
        column->addWidget(part);
    auto *page = new WholePage;
    auto *outer = new QVBoxLayout(page);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(card);
    outer->addStretch(1);
    return page;
}

} // namespace

SettingsPage::SettingsPage(application::EngineClient &client, ProviderModel &providers,
                           Theme &theme, QWidget *parent)
    : QWidget(parent), m_theme(theme), m_list(new SectionList), m_pages(new QStackedWidget)
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new PageHeader(tr("Settings")));
    auto *row = new QHBoxLayout;
    row->setSpacing(0);
    row->addWidget(m_list);
    row->addWidget(new VerticalLine);
    row->addWidget(m_pages, 1);
    column->addLayout(row, 1);

    m_sandbox = new SandboxSection(client, providers);
    addSection(tr("Sandbox"), m_sandbox);
    addSection(tr("Models"), new ModelSection(client));
    addSection(tr("Presets"), new PresetSection(client, providers));
    m_security = new SecuritySection(client);
    addSection(tr("Security"), m_security);
    m_api = new ApiSection(client);
    addSection(tr("HTTP API"), m_api);
    connect(m_security, &SecuritySection::namesChanged, m_api, &ApiSection::setNames);
    addSection(tr("Appearance"), buildAppearance());
    addSection(tr("About"), buildAbout());
    connect(m_list, &QListWidget::currentRowChanged, m_pages, &QStackedWidget::setCurrentIndex);
    connect(m_pages, &QStackedWidget::currentChanged, m_security, &SecuritySection::loadNames);
    m_list->setCurrentRow(0);
    setFocusProxy(m_list);
    m_list->setFixedWidth(m_list->wantedWidth());
}

QListWidget *SettingsPage::sections() const
{
    return m_list;
}

void SettingsPage::addSection(const QString &name, QWidget *content)
{
    content->setMaximumWidth(kPageWidth);
    auto *page = new WholePage;
    page->setAutoFillBackground(false);
    auto *row = new QHBoxLayout(page);
    row->setContentsMargins(kPageSide, 20, kPageSide, 24);
    row->addWidget(content, 100);
    row->addStretch(1);
    auto *area = new QScrollArea;
    area->setWidget(page);
    page->setAutoFillBackground(false);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    area->viewport()->setAutoFillBackground(false);
    m_areas.append(area);
    m_pages->addWidget(area);
    m_list->addItem(name);
}

QWidget *SettingsPage::buildAppearance()
{
    m_themes = new RadioChips;
    m_themes->setChoices({{wireName(ThemeMode::System), tr("System")},
                          {wireName(ThemeMode::Light), tr("Light")},
                          {wireName(ThemeMode::Dark), tr("Dark")}});
    m_themes->setValue(wireName(m_theme.mode()));
    connect(m_themes, &RadioChips::valueChosen, this,
            [this](const QString &value) { m_theme.setMode(themeModeFromWire(value)); });
    connect(&m_theme, &Theme::modeChanged, this,
            [this](ThemeMode mode) { m_themes->setValue(wireName(mode)); });
    auto *row = new FormRow(tr("Theme"), m_themes);
    row->setHelp(tr("System follows the desktop, also while Berth runs."));
    m_notifications = new NotificationSetting;
    return cardWith({row, new Divider, m_notifications});
}

QWidget *SettingsPage::buildAbout()
{
    m_version = factLabel();
    m_data = factLabel(TextRole::Mono);
    m_sandboxes = factLabel(TextRole::Mono);
    m_installation = factLabel(TextRole::Mono);
    auto *licence = factLabel();
    licence->setText(tr("GPL-3.0-or-later: free software, without any warranty."));
    return cardWith({new Label(tr("Berth"), TextRole::Header),
                     wrapped(tr("Gives every AI agent a sandbox of its own, here or in a cloud, "
                                "seen and governed from one window.")),
                     new FormRow(tr("Version"), m_version), new FormRow(tr("Data"), m_data),
                     new FormRow(tr("Provider files"), m_sandboxes),
                     new FormRow(tr("Installation"), m_installation),
                     new FormRow(tr("Licence"), licence)});
}

void SettingsPage::setEngine(const application::EngineView &engine)
{
    m_sandbox->setDirectory(engine.sandboxesDirectory);
    m_sandbox->passthrough()->setAllowed(engine.passthroughAllowed);
    m_version->setText(engine.version);
    m_data->setText(engine.dataDirectory);
    m_sandboxes->setText(engine.sandboxesDirectory);
    m_installation->setText(engine.installation.toString());
}

void SettingsPage::showSection(Section section)
{
    m_list->setCurrentRow(static_cast<int>(section));
}

void SettingsPage::showProvider(const domain::ConfigName &config)
{
    showSection(Section::Sandbox);
    ProviderCard *card = m_sandbox->card(config);
    if (!card)
        return;
    card->setExpanded(true);
    card->head()->setFocus(Qt::OtherFocusReason);
    // The card has its height once the layout has run.
    QTimer::singleShot(0, card,
                       [this, card] { m_areas.first()->ensureWidgetVisible(card, 0, 20); });
}

void SettingsPage::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    m_security->loadNames();
}

void SettingsPage::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    const int side = width() < kNarrow ? kNarrowSide : kPageSide;
    for (QScrollArea *area : std::as_const(m_areas))
        area->widget()->layout()->setContentsMargins(side, 20, side, 24);
}

} // namespace berth::ui
