<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
    <name>berth::ui::SandboxChoiceModel</name>
    <message numerus="yes">
        <source>Shared with %n thread(s)</source>
        <translation>
            <numerusform>Shared with %n thread</numerusform>
            <numerusform>Shared with %n threads</numerusform>
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
</TS>
