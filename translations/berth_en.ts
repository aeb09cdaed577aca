<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-FileCopyrightText: 2026 Berth contributors -->
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AgentText</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>stops after %n min idle</source>
        <translation>
            <numerusform>stops after %n min idle</numerusform>
            <numerusform>stops after %n min idle</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s): %1</source>
        <translation>
            <numerusform>%n thread: %1</numerusform>
            <numerusform>%n threads: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sandbox(es): %1</source>
        <translation>
            <numerusform>%n sandbox: %1</numerusform>
            <numerusform>%n sandboxes: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Markdown</name>
    <message numerus="yes">
        <source>… %n line(s) not shown</source>
        <translation>
            <numerusform>… %n line not shown</numerusform>
            <numerusform>… %n lines not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n row(s) not shown</source>
        <translation>
            <numerusform>… %n row not shown</numerusform>
            <numerusform>… %n rows not shown</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n column(s) not shown</source>
        <translation>
            <numerusform>… %n column not shown</numerusform>
            <numerusform>… %n columns not shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::ApprovalPanel</name>
    <message numerus="yes">
        <source>%n action(s) wait for you · Ctrl+Shift+A goes to the next</source>
        <translation>
            <numerusform>%n action waits for you · Ctrl+Shift+A goes to the next</numerusform>
            <numerusform>%n actions wait for you · Ctrl+Shift+A goes to the next</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::AuditView</name>
    <message numerus="yes">
        <source>%1 of %n entries, back to %2</source>
        <translation>
            <numerusform>%1 of %n entry, back to %2</numerusform>
            <numerusform>%1 of %n entries, back to %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries, all there are</source>
        <translation>
            <numerusform>%n entry, all there is</numerusform>
            <numerusform>%n entries, all there are</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries, older ones follow</source>
        <translation>
            <numerusform>%n entry, older ones follow</numerusform>
            <numerusform>%n entries, older ones follow</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation>
            <numerusform>Copied %n line</numerusform>
            <numerusform>Copied %n lines</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::ConversationDelegate</name>
    <message numerus="yes">
        <source>… %n line(s) hidden</source>
        <translation>
            <numerusform>… %n line hidden</numerusform>
            <numerusform>… %n lines hidden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::ConversationPage</name>
    <message numerus="yes">
        <source>Waiting for %n file(s)</source>
        <translation>
            <numerusform>Waiting for %n file</numerusform>
            <numerusform>Waiting for %n files</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::DestroyDialog</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::FileBrowser</name>
    <message numerus="yes">
        <source>%n hidden file(s) are not shown.</source>
        <translation>
            <numerusform>%n hidden file is not shown.</numerusform>
            <numerusform>%n hidden files are not shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n entry</numerusform>
            <numerusform>%n entries</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n hidden</numerusform>
            <numerusform>%n hidden</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n files and folders?</source>
        <translation>
            <numerusform>Delete %n file or folder?</numerusform>
            <numerusform>Delete %n files and folders?</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::FileModel</name>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::NewThreadPage</name>
    <message numerus="yes">
        <source>%n ready</source>
        <translation>
            <numerusform>%n ready</numerusform>
            <numerusform>%n ready</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::Notifier</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>and %n more</numerusform>
            <numerusform>and %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n actions wait for you</source>
        <translation>
            <numerusform>%n action waits for you</numerusform>
            <numerusform>%n actions wait for you</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs have ended</source>
        <translation>
            <numerusform>%n run has ended</numerusform>
            <numerusform>%n runs have ended</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::ProviderFields</name>
    <message numerus="yes">
        <source>More settings (%n)</source>
        <translation>
            <numerusform>More settings (%n)</numerusform>
            <numerusform>More settings (%n)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::ResourcesPage</name>
    <message numerus="yes">
        <source>of %n in all</source>
        <translation>
            <numerusform>of %n in all</numerusform>
            <numerusform>of %n in all</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unreachable</source>
        <translation>
            <numerusform>%n unreachable</numerusform>
            <numerusform>%n unreachable</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n orphaned</source>
        <translation>
            <numerusform>%n orphaned</numerusform>
            <numerusform>%n orphaned</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::RunStrip</name>
    <message numerus="yes">
        <source>Trying again in %n second(s)</source>
        <translation>
            <numerusform>Trying again in %n second</numerusform>
            <numerusform>Trying again in %n seconds</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeModel</name>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeSheet</name>
    <message numerus="yes">
        <source>%n command(s)</source>
        <translation>
            <numerusform>%n command</numerusform>
            <numerusform>%n commands</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxActions</name>
    <message numerus="yes">
        <source>%n thread(s) use it. They stay readable, and can go on once it is restored.</source>
        <translation>
            <numerusform>%n thread uses it. It stays readable, and can go on once it is restored.</numerusform>
            <numerusform>%n threads use it. They stay readable, and can go on once it is restored.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxChoiceModel</name>
    <message numerus="yes">
        <source>Shared by %n thread(s)</source>
        <translation>
            <numerusform>Shared by %n thread</numerusform>
            <numerusform>Shared by %n threads</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxesPage</name>
    <message numerus="yes">
        <source>%n deleted sandbox(es) still run.</source>
        <translation>
            <numerusform>%n deleted sandbox still runs.</numerusform>
            <numerusform>%n deleted sandboxes still run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::Sidebar</name>
    <message numerus="yes">
        <source>%n runtime(s)</source>
        <translation>
            <numerusform>%n runtime</numerusform>
            <numerusform>%n runtimes</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) care</source>
        <translation>
            <numerusform>%n needs care</numerusform>
            <numerusform>%n need care</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalPane</name>
    <message numerus="yes">
        <source>Paste %n line(s)? Each may run as a command.</source>
        <translation>
            <numerusform>Paste %n line? It may run as a command.</numerusform>
            <numerusform>Paste %n lines? Each may run as a command.</numerusform>
        </translation>
    </message>
</context>
</TS>
