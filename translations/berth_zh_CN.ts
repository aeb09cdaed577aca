<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<!-- SPDX-FileCopyrightText: 2026 Berth contributors -->
<!-- SPDX-License-Identifier: GPL-3.0-or-later -->
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AgentText</name>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation>、 </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 以及另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>never asks</source>
        <translation>从不询问</translation>
    </message>
    <message>
        <source>supervised</source>
        <translation>受监督</translation>
    </message>
    <message>
        <source>asks for %1</source>
        <translation>%1 需询问</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>private</source>
        <translation>私有</translation>
    </message>
    <message>
        <source>protected</source>
        <translation>受保护</translation>
    </message>
    <message>
        <source>public</source>
        <translation>公开</translation>
    </message>
    <message>
        <source>Anybody who says who they are joins as a guest.</source>
        <translation>任何表明身份的人都以访客身份加入。</translation>
    </message>
    <message>
        <source>Whoever has its access token may join.</source>
        <translation>持有访问令牌的人可以加入。</translation>
    </message>
    <message>
        <source>Only you, and whom you add. For everybody else it does not exist.</source>
        <translation>只有您和您添加的人。对其他人而言它不存在。</translation>
    </message>
    <message>
        <source>starts with a session</source>
        <translation>随会话启动</translation>
    </message>
    <message>
        <source>starts on demand</source>
        <translation>按需启动</translation>
    </message>
    <message>
        <source>stops with the last session</source>
        <translation>随最后一个会话停止</translation>
    </message>
    <message>
        <source>never stops by itself</source>
        <translation>不会自行停止</translation>
    </message>
    <message numerus="yes">
        <source>stops after %n min idle</source>
        <translation>
            <numerusform>空闲 %n 分钟后停止</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>start and stop of a sandbox</comment>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>now</source>
        <translation>刚刚</translation>
    </message>
    <message>
        <source>%1 ago</source>
        <translation>%1前</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message numerus="yes">
        <source>%n thread(s): %1</source>
        <translation>
            <numerusform>%n 个对话：%1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n sandbox(es): %1</source>
        <translation>
            <numerusform>%n 个沙箱：%1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Conversation</name>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>What it thought</source>
        <translation>思考过程</translation>
    </message>
    <message>
        <source>Show less</source>
        <translation>收起</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
</context>
<context>
    <name>Isolation</name>
    <message>
        <source>No isolation: everything that you can do, Berth's own files included</source>
        <translation>无隔离：您能做的一切它都能做，包括改动 Berth 自己的文件</translation>
    </message>
</context>
<context>
    <name>Markdown</name>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message numerus="yes">
        <source>… %n line(s) not shown</source>
        <translation>
            <numerusform>……还有 %n 行未显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n row(s) not shown</source>
        <translation>
            <numerusform>……还有 %n 行表格未显示</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… %n column(s) not shown</source>
        <translation>
            <numerusform>……还有 %n 列未显示</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ProcessText</name>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>%1 lost</source>
        <translation>丢失 %1</translation>
    </message>
</context>
<context>
    <name>RuntimeText</name>
    <message>
        <source>The provider does not answer.</source>
        <translation>提供方没有响应。</translation>
    </message>
    <message>
        <source>The provider does not report this.</source>
        <translation>提供方不报告此项。</translation>
    </message>
    <message>
        <source>The first sample is on its way.</source>
        <translation>首个采样即将到来。</translation>
    </message>
    <message>
        <source>Not measured while paused.</source>
        <translation>暂停时不测量。</translation>
    </message>
    <message>
        <source>Not measured while stopped.</source>
        <translation>停止时不测量。</translation>
    </message>
    <message>
        <source>Not measured while archived.</source>
        <translation>归档时不测量。</translation>
    </message>
    <message>
        <source>It is still starting.</source>
        <translation>仍在启动。</translation>
    </message>
    <message>
        <source>The provider reports an error.</source>
        <translation>提供方报告了错误。</translation>
    </message>
    <message>
        <source>Nothing is left to measure.</source>
        <translation>已没有可测量的内容。</translation>
    </message>
    <message>
        <source>Its state is not known yet.</source>
        <translation>其状态尚不清楚。</translation>
    </message>
    <message>
        <source>Measured %1 ago.</source>
        <translation>测量于 %1前。</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Resuming…</source>
        <translation>正在恢复…</translation>
    </message>
    <message>
        <source>Destroying…</source>
        <translation>正在销毁…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在启动…</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>正在处理…</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>无法访问</translation>
    </message>
    <message>
        <source>Being destroyed</source>
        <translation>正在销毁</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Destroyed</source>
        <translation>已销毁</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Made by this Berth, but no sandbox here knows it.</source>
        <translation>由此 Berth 创建，但这里没有沙箱认识它。</translation>
    </message>
    <message>
        <source>The provider no longer has it.</source>
        <translation>提供方已没有它。</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核</translation>
    </message>
    <message>
        <source>of 1 core</source>
        <translation>/ 1 核</translation>
    </message>
    <message>
        <source>of %1 cores</source>
        <translation>/ %1 核</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>/ %1</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>无限制</translation>
    </message>
    <message>
        <source>↓ %1  ↑ %2</source>
        <translation>↓ %1  ↑ %2</translation>
    </message>
    <message>
        <source>last seen %1 ago</source>
        <translation>最后见于 %1前</translation>
    </message>
    <message>
        <source>never seen</source>
        <translation>从未见过</translation>
    </message>
    <message>
        <source>orphan</source>
        <translation>孤立</translation>
    </message>
    <message>
        <source>destroyed in %1</source>
        <translation>将在 %1 后销毁</translation>
    </message>
    <message>
        <source>up %1</source>
        <translation>已运行 %1</translation>
    </message>
    <message>
        <source>up</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>%1 · pauses in %2</source>
        <comment>"up 4 m", time left</comment>
        <translation>%1 · 将在 %2 后暂停</translation>
    </message>
    <message>
        <source>paused %1</source>
        <translation>已暂停 %1</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopped %1</source>
        <translation>已停止 %1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>archived %1</source>
        <translation>已归档 %1</translation>
    </message>
    <message>
        <source>archived</source>
        <translation>已归档</translation>
    </message>
    <message>
        <source>starting for %1</source>
        <translation>启动中 %1</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>stopping for %1</source>
        <translation>停止中 %1</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>failed %1 ago</source>
        <translation>%1前失败</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>gone for %1</source>
        <translation>已消失 %1</translation>
    </message>
    <message>
        <source>gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>not seen yet</source>
        <translation>尚未见到</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 B</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 kB</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 GB</translation>
    </message>
    <message>
        <source>%1 TB</source>
        <translation>%1 TB</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/秒</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 m</source>
        <translation>%1 分</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 小时</translation>
    </message>
    <message>
        <source>%1 d</source>
        <translation>%1 天</translation>
    </message>
</context>
<context>
    <name>SecurityText</name>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>智能体 %1</translation>
    </message>
    <message>
        <source>Thread “%1”</source>
        <translation>对话“%1”</translation>
    </message>
    <message>
        <source>Every agent and thread</source>
        <translation>所有智能体和对话</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>等待您决定</translation>
    </message>
    <message>
        <source>Denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Denied by a hook</source>
        <translation>被钩子拒绝</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>typed by you</source>
        <translation>由您输入</translation>
    </message>
    <message>
        <source>run anyway by you</source>
        <translation>由您坚持运行</translation>
    </message>
    <message>
        <source>by you</source>
        <translation>由您决定</translation>
    </message>
    <message>
        <source>by a hook</source>
        <translation>由钩子决定</translation>
    </message>
    <message>
        <source>its run ended first</source>
        <translation>其运行先行结束</translation>
    </message>
    <message>
        <source>the agent is read-only</source>
        <translation>该智能体为只读</translation>
    </message>
    <message>
        <source>nobody was there to ask</source>
        <translation>当时无人可询问</translation>
    </message>
    <message>
        <source>the agent's policy could not be read</source>
        <translation>无法读取该智能体的策略</translation>
    </message>
    <message>
        <source>the agent has full autonomy</source>
        <translation>该智能体完全自主</translation>
    </message>
    <message>
        <source>no approval is required for it</source>
        <translation>此操作无需批准</translation>
    </message>
    <message>
        <source>rule %1</source>
        <translation>规则 %1</translation>
    </message>
    <message>
        <source>ended</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>ended by a signal</source>
        <translation>被信号终止</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>被中断</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Told after</source>
        <translation>事后告知</translation>
    </message>
    <message>
        <source>Asked before</source>
        <translation>事前询问</translation>
    </message>
    <message>
        <source>read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>approve</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>administer</source>
        <translation>管理</translation>
    </message>
</context>
<context>
    <name>ThreadText</name>
    <message>
        <source>No sandbox</source>
        <translation>没有沙箱</translation>
    </message>
    <message>
        <source>Not started yet</source>
        <translation>尚未启动</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>Active</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Destroyed</source>
        <translation>已销毁</translation>
    </message>
    <message>
        <source>Unreachable</source>
        <translation>无法访问</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>state, since how long: active 4 m</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>preparing</source>
        <translation>准备中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>exit %1</source>
        <translation>退出码 %1</translation>
    </message>
    <message>
        <source>timed out</source>
        <translation>超时</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>Run command</source>
        <translation>运行命令</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 m %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 m</source>
        <translation>%1 小时 %2 分</translation>
    </message>
    <message>
        <source>needs approval</source>
        <translation>需要批准</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>ok</source>
        <translation>成功</translation>
    </message>
    <message>
        <source>Read file</source>
        <translation>读取文件</translation>
    </message>
    <message>
        <source>Write file</source>
        <translation>写入文件</translation>
    </message>
    <message>
        <source>Edit file</source>
        <translation>编辑文件</translation>
    </message>
    <message>
        <source>List files</source>
        <translation>列出文件</translation>
    </message>
    <message>
        <source>Find files</source>
        <translation>查找文件</translation>
    </message>
    <message>
        <source>Search in files</source>
        <translation>在文件中搜索</translation>
    </message>
    <message>
        <source>peak %1</source>
        <comment>of memory</comment>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>%1 CPU</source>
        <comment>time</comment>
        <translation>CPU %1</translation>
    </message>
</context>
<context>
    <name>berth::bootstrap::EngineAccess</name>
    <message>
        <source>Berth is ending</source>
        <translation>Berth 正在退出</translation>
    </message>
    <message>
        <source>Another Berth holds the data but does not answer</source>
        <translation>另一个 Berth 占用了数据但没有响应</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>正在连接</translation>
    </message>
</context>
<context>
    <name>berth::ui::AddSandboxPanel</name>
    <message>
        <source>Alias</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Add sandbox</source>
        <translation>添加沙箱</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>A preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>A type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>provider and config</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <comment>provider and why not</comment>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>preset and type</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <comment>preset, type and settings</comment>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>There is none. Presets are made in Settings, Presets.</source>
        <translation>还没有预设。可在“设置”的“预设”中创建。</translation>
    </message>
    <message>
        <source>The sandbox keeps a copy of it; a later change of the preset does not change the sandbox.</source>
        <translation>沙箱保存预设的副本；之后更改预设不会改变沙箱。</translation>
    </message>
    <message>
        <source>type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>An alias has up to 32 small letters, digits, - and _, and begins with a letter or a digit.</source>
        <translation>别名最多 32 个小写字母、数字、- 和 _，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>Empty: made from its type. Nothing starts until it is needed.</source>
        <translation>留空：由类型生成。需要之前不会启动任何东西。</translation>
    </message>
    <message>
        <source>Not added</source>
        <translation>未添加</translation>
    </message>
</context>
<context>
    <name>berth::ui::AgentBasics</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Create agent</source>
        <translation>创建智能体</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>What it is for, and how it should work.</source>
        <translation>它的用途，以及应当如何工作。</translation>
    </message>
    <message>
        <source>Instructions</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Ask before commands</source>
        <translation>执行命令前询问</translation>
    </message>
    <message>
        <source>Ask before commands and changes to files</source>
        <translation>执行命令和更改文件前询问</translation>
    </message>
    <message>
        <source>Read only: it changes nothing</source>
        <translation>只读：不做任何更改</translation>
    </message>
    <message>
        <source>Never ask</source>
        <translation>从不询问</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>私有</translation>
    </message>
    <message>
        <source>Protected</source>
        <translation>受保护</translation>
    </message>
    <message>
        <source>Public</source>
        <translation>公开</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问</translation>
    </message>
    <message>
        <source>Whoever has its access token may join: set one under Security.</source>
        <translation>持有访问令牌的人可以加入：请在“安全”中设置令牌。</translation>
    </message>
    <message>
        <source>Sandboxes start on demand and stop after 30 min idle. That, its rules and its skills can be changed once it is there.</source>
        <translation>沙箱按需启动，空闲 30 分钟后停止。创建之后可以更改这些设置、规则和技能。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Default — %1</source>
        <comment>a model</comment>
        <translation>默认 — %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>endpoint and model</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 (not connected)</source>
        <translation>%1（未连接）</translation>
    </message>
    <message>
        <source>Default — none</source>
        <translation>默认 — 无</translation>
    </message>
    <message>
        <source>Default — %1</source>
        <comment>a preset</comment>
        <translation>默认 — %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>preset and type</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>It has no file and shell tools until it gets a sandbox.</source>
        <translation>有沙箱之前，它没有文件和命令工具。</translation>
    </message>
    <message>
        <source>%1. Nothing starts until the first command.</source>
        <translation>%1。第一条命令之前不会启动任何东西。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>type and settings</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Anything up to 80 characters.</source>
        <translation>任意内容，最多 80 个字符。</translation>
    </message>
    <message>
        <source>Its id, for good: %1</source>
        <translation>其标识，不可更改：%1</translation>
    </message>
    <message>
        <source>Its id stays: %1</source>
        <translation>其标识保持不变：%1</translation>
    </message>
    <message>
        <source>Not created</source>
        <translation>未创建</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>berth::ui::AgentModel</name>
    <message>
        <source>default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>heading and value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 · id %2</source>
        <translation>%1 · 标识 %2</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Approvals</source>
        <translation>批准</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问</translation>
    </message>
    <message>
        <source>Last activity</source>
        <translation>最近活动</translation>
    </message>
</context>
<context>
    <name>berth::ui::AgentPanel</name>
    <message>
        <source>New agent</source>
        <translation>新智能体</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Agent %1</source>
        <translation>智能体 %1</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>Lifecycle</source>
        <translation>生命周期</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>技能</translation>
    </message>
    <message>
        <source>Parts of the agent</source>
        <translation>智能体的各部分</translation>
    </message>
    <message>
        <source>Delete agent…</source>
        <translation>删除智能体…</translation>
    </message>
</context>
<context>
    <name>berth::ui::AgentSecurity</name>
    <message>
        <source>It reads. Commands and changes are refused, nobody is asked.</source>
        <translation>它只读取。命令和更改会被拒绝，不会询问任何人。</translation>
    </message>
    <message>
        <source>It is never asked about; only deny rules and hooks hold it.</source>
        <translation>从不询问；只有拒绝规则和钩子能限制它。</translation>
    </message>
    <message>
        <source>What is ticked below waits for you.</source>
        <translation>下面勾选的操作会等待您。</translation>
    </message>
    <message>
        <source>Edit as JSON</source>
        <translation>以 JSON 编辑</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Security policy as JSON</source>
        <translation>JSON 形式的安全策略</translation>
    </message>
    <message>
        <source>Read only</source>
        <translation>只读</translation>
    </message>
    <message>
        <source>Supervised</source>
        <translation>受监督</translation>
    </message>
    <message>
        <source>Full</source>
        <translation>完全</translation>
    </message>
    <message>
        <source>Autonomy</source>
        <translation>自主程度</translation>
    </message>
    <message>
        <source>Commands (exec)</source>
        <translation>命令（exec）</translation>
    </message>
    <message>
        <source>Changes to files (write)</source>
        <translation>更改文件（write）</translation>
    </message>
    <message>
        <source>Reading (read)</source>
        <translation>读取（read）</translation>
    </message>
    <message>
        <source>Ask before</source>
        <translation>询问时机</translation>
    </message>
    <message>
        <source>And before these tools</source>
        <translation>以及使用这些工具前</translation>
    </message>
    <message>
        <source>Names, separated by commas.</source>
        <translation>名称，用逗号分隔。</translation>
    </message>
    <message>
        <source>Refuse it</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Wait for an answer</source>
        <translation>等待答复</translation>
    </message>
    <message>
        <source>When nobody is there</source>
        <translation>无人在场时</translation>
    </message>
    <message>
        <source>Of a call that asks, in a run that no person started.</source>
        <translation>针对并非由人启动的运行中需要询问的调用。</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>私有</translation>
    </message>
    <message>
        <source>Protected</source>
        <translation>受保护</translation>
    </message>
    <message>
        <source>Public</source>
        <translation>公开</translation>
    </message>
    <message>
        <source>Access</source>
        <translation>访问</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>访问令牌</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>The policy cannot be read</source>
        <translation>无法读取策略</translation>
    </message>
    <message>
        <source>This is not a JSON object</source>
        <translation>这不是 JSON 对象</translation>
    </message>
    <message>
        <source>Mend it, or take it back with Revert.</source>
        <translation>请修正，或用“还原”撤回。</translation>
    </message>
    <message>
        <source>Show fields</source>
        <translation>显示字段</translation>
    </message>
    <message>
        <source>set; type another to replace it</source>
        <translation>已设置；输入新的即可替换</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
    <message>
        <source>Without one nobody could join a protected agent.</source>
        <translation>没有令牌就没有人能加入受保护的智能体。</translation>
    </message>
    <message>
        <source>Only a hash of it is kept.</source>
        <translation>只保存其哈希值。</translation>
    </message>
    <message>
        <source>It is not a JSON object.</source>
        <translation>这不是 JSON 对象。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what and why</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>The policy was changed meanwhile</source>
        <translation>策略在此期间已被更改</translation>
    </message>
    <message>
        <source>Revert shows it as it is now. Saving puts what stands here in its place.</source>
        <translation>“还原”会显示它现在的内容。保存则用此处的内容取代它。</translation>
    </message>
</context>
<context>
    <name>berth::ui::AgentSkills</name>
    <message>
        <source>It has none.</source>
        <translation>还没有技能。</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>添加文件夹…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Folders of this machine that Berth copies into each of its sandboxes, below .berth/skills.</source>
        <translation>本机上的文件夹，Berth 会将其复制到它的每个沙箱的 .berth/skills 下。</translation>
    </message>
    <message>
        <source>The skills cannot be read</source>
        <translation>无法读取技能</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names of sandboxes</comment>
        <translation>、 </translation>
    </message>
    <message>
        <source>Choose a skill's folder</source>
        <translation>选择技能的文件夹</translation>
    </message>
    <message>
        <source>A skill's name has up to 32 small letters, digits, - and _.</source>
        <translation>技能名称最多 32 个小写字母、数字、- 和 _。</translation>
    </message>
    <message>
        <source>Two skills have this name.</source>
        <translation>有两个技能使用此名称。</translation>
    </message>
    <message>
        <source>Name a folder by its whole path.</source>
        <translation>请填写文件夹的完整路径。</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Copied into %1 when used next.</source>
        <comment>names of sandboxes</comment>
        <translation>下次使用时复制到 %1。</translation>
    </message>
</context>
<context>
    <name>berth::ui::AgentsPage</name>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>New agent…</source>
        <translation>新智能体…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+N</source>
        <translation>Ctrl+Shift+N</translation>
    </message>
    <message>
        <source>Delete agent %1?</source>
        <translation>删除智能体 %1？</translation>
    </message>
    <message>
        <source>Its name, instructions, policy, rules and skills are removed for good.</source>
        <translation>其名称、指令、策略、规则和技能将被永久删除。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what and why</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not deleted</source>
        <translation>未删除</translation>
    </message>
    <message>
        <source>Drop the new agent?</source>
        <translation>放弃新智能体？</translation>
    </message>
    <message>
        <source>Drop what you changed?</source>
        <translation>放弃更改？</translation>
    </message>
    <message>
        <source>It cannot go while it has these. Sandboxes can be removed on the Sandboxes page.</source>
        <translation>存在以下内容时无法删除。沙箱可在“沙箱”页面移除。</translation>
    </message>
</context>
<context>
    <name>berth::ui::ApiSection</name>
    <message>
        <source>may %1</source>
        <translation>可以%1</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between scopes</comment>
        <translation>、 </translation>
    </message>
    <message>
        <source>for %1</source>
        <comment>user</comment>
        <translation>代表 %1</translation>
    </message>
    <message>
        <source>agent %1 only</source>
        <translation>仅限智能体 %1</translation>
    </message>
    <message>
        <source>last used %1</source>
        <translation>上次使用于 %1</translation>
    </message>
    <message>
        <source>never used</source>
        <translation>从未使用</translation>
    </message>
    <message>
        <source>made %1</source>
        <translation>创建于 %1</translation>
    </message>
    <message>
        <source>Serve the HTTP API while Berth runs</source>
        <translation>Berth 运行时提供 HTTP API</translation>
    </message>
    <message>
        <source>Tokens may approve</source>
        <translation>令牌可以批准</translation>
    </message>
    <message>
        <source>Tokens may administer</source>
        <translation>令牌可以管理</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Grant</source>
        <translation>授予</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新建令牌</translation>
    </message>
    <message>
        <source>There is no token but your own.</source>
        <translation>除您自己的令牌外没有其他令牌。</translation>
    </message>
    <message>
        <source>Lets programs on this machine do what this window does, over HTTP.</source>
        <translation>让本机上的程序通过 HTTP 做此窗口能做的事。</translation>
    </message>
    <message>
        <source>A token with this right answers what waits for you, in your place: whoever has it decides what agents may do.</source>
        <translation>拥有此权限的令牌可代您答复等待您决定的操作：谁持有它，谁就决定智能体可以做什么。</translation>
    </message>
    <message>
        <source>A token with this right changes agents and their security settings, members, providers and other tokens.</source>
        <translation>拥有此权限的令牌可以更改智能体及其安全设置、成员、提供方和其他令牌。</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>令牌</translation>
    </message>
    <message>
        <source>Does not run</source>
        <translation>未能运行</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>The API does not run although it should</source>
        <translation>API 本应运行，却没有运行</translation>
    </message>
    <message>
        <source>Your own token is in %1</source>
        <comment>path of a file</comment>
        <translation>您自己的令牌在 %1</translation>
    </message>
    <message>
        <source>Let tokens approve?</source>
        <translation>允许令牌批准操作？</translation>
    </message>
    <message>
        <source>Let tokens administer?</source>
        <translation>允许令牌进行管理？</translation>
    </message>
    <message>
        <source>A program with such a token can allow any command of any agent without you seeing it first. It can be taken back here at any time.</source>
        <translation>持有此类令牌的程序可以允许任何智能体的任何命令，而您不会先看到它。您可以随时在此收回。</translation>
    </message>
    <message>
        <source>A program with such a token can loosen every agent's security settings and make further tokens. It can be taken back here at any time.</source>
        <translation>持有此类令牌的程序可以放宽所有智能体的安全设置，并创建更多令牌。您可以随时在此收回。</translation>
    </message>
    <message>
        <source>May decide</source>
        <translation>可作决定</translation>
    </message>
    <message>
        <source>Revoke</source>
        <translation>吊销</translation>
    </message>
    <message>
        <source>Revoke this token?</source>
        <translation>吊销此令牌？</translation>
    </message>
    <message>
        <source>Programs that use it are refused at once, also in the middle of what they do. It cannot be brought back.</source>
        <translation>使用它的程序会立即被拒绝，即使正在操作中。吊销后无法恢复。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>berth::ui::ApprovalCard</name>
    <message>
        <source>Needs your approval: %1, %2</source>
        <translation>需要您的批准：%1，%2</translation>
    </message>
    <message>
        <source>What is to be done</source>
        <translation>要执行的操作</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Why, for the agent (may stay empty)</source>
        <translation>告诉智能体原因（可留空）</translation>
    </message>
    <message>
        <source>Reason for the agent</source>
        <translation>给智能体的原因</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Needs your approval</source>
        <translation>需要您的批准</translation>
    </message>
    <message>
        <source>in %1</source>
        <translation>在 %1 中</translation>
    </message>
    <message>
        <source>in %1 · %2</source>
        <comment>sandbox, directory</comment>
        <translation>在 %1 中 · %2</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>允许一次</translation>
    </message>
    <message>
        <source>Allow for this thread</source>
        <translation>在此对话中允许</translation>
    </message>
    <message>
        <source>Always…</source>
        <translation>始终…</translation>
    </message>
    <message>
        <source>Only once: no rule can be made of it</source>
        <translation>只能允许一次：无法由此建立规则</translation>
    </message>
    <message>
        <source>Only once: %1</source>
        <translation>只能允许一次：%1</translation>
    </message>
    <message>
        <source>Scroll to its end before you allow it</source>
        <translation>请先滚动到末尾，再允许</translation>
    </message>
    <message>
        <source>Allows in this thread, from now on:</source>
        <translation>从现在起在此对话中允许：</translation>
    </message>
</context>
<context>
    <name>berth::ui::ApprovalPanel</name>
    <message>
        <source>Approvals</source>
        <translation>批准</translation>
    </message>
    <message numerus="yes">
        <source>%n action(s) wait for you · Ctrl+Shift+A goes to the next</source>
        <translation>
            <numerusform>%n 个操作等待您处理 · Ctrl+Shift+A 转到下一个</numerusform>
        </translation>
    </message>
    <message>
        <source>Copy the text</source>
        <translation>复制文字</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>知道了</translation>
    </message>
    <message>
        <source>%1 “%2” does not wait for you any more</source>
        <comment>kind of action, command</comment>
        <translation>%1“%2”不再等待您的决定</translation>
    </message>
    <message>
        <source>It was decided elsewhere, or its run has ended. Your reason was not sent: “%1”</source>
        <translation>它已在别处决定，或其运行已结束。您写的理由没有发送：“%1”</translation>
    </message>
</context>
<context>
    <name>berth::ui::AttachmentBar</name>
    <message>
        <source>Attached files</source>
        <translation>附件</translation>
    </message>
    <message>
        <source>Attached, in the sandbox:</source>
        <translation>附件，位于沙箱中：</translation>
    </message>
    <message>
        <source>%1 · upload it?</source>
        <comment>a folder</comment>
        <translation>%1 · 要上传吗？</translation>
    </message>
    <message>
        <source>%1 · starting the sandbox…</source>
        <translation>%1 · 正在启动沙箱…</translation>
    </message>
    <message>
        <source>%1 · %2 %</source>
        <comment>a file, how much of it is there</comment>
        <translation>%1 · %2 %</translation>
    </message>
    <message>
        <source>%1 · the name is taken</source>
        <translation>%1 · 名称已被占用</translation>
    </message>
    <message>
        <source>%1 · failed</source>
        <translation>%1 · 失败</translation>
    </message>
    <message>
        <source>Leave out %1</source>
        <translation>去掉 %1</translation>
    </message>
    <message>
        <source>Upload the folder %1?</source>
        <translation>要上传文件夹 %1 吗？</translation>
    </message>
    <message>
        <source>With everything in it, into the sandbox's working directory.</source>
        <translation>连同其中的全部内容，上传到沙箱的工作目录。</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>上传</translation>
    </message>
    <message>
        <source>Leave out</source>
        <translation>去掉</translation>
    </message>
    <message>
        <source>%1 is there already</source>
        <translation>%1 已经存在</translation>
    </message>
    <message>
        <source>In %1 of the sandbox.</source>
        <translation>在沙箱的 %1 中。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <source>%1 was not uploaded: %2</source>
        <translation>%1 未上传：%2</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>berth::ui::AuditModel</name>
    <message>
        <source>You</source>
        <translation>您</translation>
    </message>
    <message>
        <source>The agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>%1 · %2 · %3</source>
        <comment>time, who, tool</comment>
        <translation>%1 · %2 · %3</translation>
    </message>
    <message>
        <source>Thread: %1</source>
        <translation>对话：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>decision, by what or whom</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>decision, how the call ended</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>what was done, all about it</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
</context>
<context>
    <name>berth::ui::AuditView</name>
    <message>
        <source>Search in what was done</source>
        <translation>搜索操作记录</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Look further back</source>
        <translation>继续向前查找</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Allowed</source>
        <translation>已允许</translation>
    </message>
    <message>
        <source>Denied</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Waits for you</source>
        <translation>等待您决定</translation>
    </message>
    <message>
        <source>Not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>Decisions to show</source>
        <translation>要显示的决定</translation>
    </message>
    <message>
        <source>What was done and decided</source>
        <translation>操作与决定</translation>
    </message>
    <message>
        <source>What was done, whole</source>
        <translation>操作全文</translation>
    </message>
    <message>
        <source>Nothing was done yet</source>
        <translation>尚无任何操作</translation>
    </message>
    <message>
        <source>Nothing matches</source>
        <translation>没有匹配项</translation>
    </message>
    <message>
        <source>What agents and you do in sandboxes is listed here.</source>
        <translation>智能体和您在沙箱中所做的操作会列在这里。</translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n entries, back to %2</source>
        <translation>
            <numerusform>%n 条中的 %1 条，最早到 %2</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries, all there are</source>
        <translation>
            <numerusform>共 %n 条，已全部列出</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n entries, older ones follow</source>
        <translation>
            <numerusform>%n 条，更早的会继续加载</numerusform>
        </translation>
    </message>
    <message>
        <source>Loading…</source>
        <translation>正在加载…</translation>
    </message>
    <message numerus="yes">
        <source>Copied %n lines</source>
        <translation>
            <numerusform>已复制 %n 行</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::BusNotifications</name>
    <message>
        <source>There is no session bus.</source>
        <translation>没有会话总线。</translation>
    </message>
    <message>
        <source>The notification service has ended.</source>
        <translation>通知服务已结束。</translation>
    </message>
    <message>
        <source>No notification service answers on the session bus.</source>
        <translation>会话总线上没有通知服务应答。</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>The notification service did not take a message.</source>
        <translation>通知服务没有接受消息。</translation>
    </message>
    <message>
        <source>%1 What needs you is marked in the list of threads all the same.</source>
        <comment>why</comment>
        <translation>%1 需要您处理的对话仍会在列表中标出。</translation>
    </message>
</context>
<context>
    <name>berth::ui::Composer</name>
    <message>
        <source>Connect a model</source>
        <translation>连接模型</translation>
    </message>
    <message>
        <source>Run as command</source>
        <translation>作为命令运行</translation>
    </message>
    <message>
        <source>Do not run</source>
        <translation>不运行</translation>
    </message>
    <message>
        <source>Run in this thread</source>
        <translation>在此对话中运行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>No model is connected</source>
        <translation>未连接模型</translation>
    </message>
    <message>
        <source>The text stays here as a draft. Only a line that starts with ! runs by itself.</source>
        <translation>文字作为草稿留在这里。只有以 ! 开头的行才会直接运行。</translation>
    </message>
    <message>
        <source>Stop what runs (Esc)</source>
        <translation>停止正在运行的命令（Esc）</translation>
    </message>
    <message>
        <source>Ctrl+Return</source>
        <translation>Ctrl+回车</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>回车</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Commands of this thread run on this machine itself, as you. Asked once for each thread.</source>
        <translation>此对话的命令将以您的身份直接在本机上运行。每个对话只询问一次。</translation>
    </message>
    <message>
        <source>Editing an earlier message</source>
        <translation>正在编辑较早的消息</translation>
    </message>
    <message>
        <source>It is sent in place of that one. What followed stays readable, but the agent no longer sees it.</source>
        <translation>它将替代那条消息发送。其后的内容仍可阅读，但智能体不再看到。</translation>
    </message>
    <message>
        <source>Do not edit</source>
        <translation>不编辑</translation>
    </message>
    <message>
        <source>Tokens and cost of this thread</source>
        <translation>此对话的 token 用量和费用</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加文件</translation>
    </message>
</context>
<context>
    <name>berth::ui::ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>berth::ui::ConfirmDialog</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>What you typed is not saved.</source>
        <translation>您输入的内容尚未保存。</translation>
    </message>
    <message>
        <source>Drop it</source>
        <translation>放弃</translation>
    </message>
</context>
<context>
    <name>berth::ui::ConversationDelegate</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Preparing the sandbox…</source>
        <translation>正在准备沙箱…</translation>
    </message>
    <message>
        <source>The output could not be read: %1</source>
        <translation>无法读取输出：%1</translation>
    </message>
    <message>
        <source>No output yet</source>
        <translation>尚无输出</translation>
    </message>
    <message>
        <source>Reading the output…</source>
        <translation>正在读取输出…</translation>
    </message>
    <message>
        <source>No output</source>
        <translation>无输出</translation>
    </message>
    <message>
        <source>The working directory and variables that this command left were not kept.</source>
        <translation>此命令结束时的工作目录和变量未被保留。</translation>
    </message>
    <message>
        <source>… %1 above hidden</source>
        <translation>… 上方隐藏了 %1</translation>
    </message>
    <message numerus="yes">
        <source>… %n line(s) hidden</source>
        <translation>
            <numerusform>… 隐藏了 %n 行</numerusform>
        </translation>
    </message>
    <message>
        <source>… part of a line hidden</source>
        <translation>… 隐藏了一行的一部分</translation>
    </message>
    <message>
        <source>Waits for your decision</source>
        <translation>等待您的决定</translation>
    </message>
    <message>
        <source>No result</source>
        <translation>无结果</translation>
    </message>
    <message>
        <source>(replaced by a later edit)</source>
        <translation>（已被后来的编辑取代）</translation>
    </message>
</context>
<context>
    <name>berth::ui::ConversationModel</name>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>You: %1</source>
        <translation>您：%1</translation>
    </message>
    <message>
        <source>Agent: %1</source>
        <translation>智能体：%1</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>备注：%1</translation>
    </message>
    <message>
        <source>The reply ends here: it was stopped or lost</source>
        <translation>回复到此为止：已被停止或丢失</translation>
    </message>
    <message>
        <source>Writing: %1</source>
        <translation>正在编写：%1</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>You, replaced later: %1</source>
        <translation>您（后来已替换）：%1</translation>
    </message>
    <message>
        <source>Replaced by a later edit</source>
        <translation>已被后来的编辑取代</translation>
    </message>
    <message>
        <source>Agent, replaced later: %1</source>
        <translation>智能体（后来被取代）：%1</translation>
    </message>
</context>
<context>
    <name>berth::ui::ConversationPage</name>
    <message>
        <source>Rename (F2)</source>
        <translation>重命名（F2）</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Title of the thread</source>
        <translation>对话标题</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Reply, or start a line with ! to run a command yourself</source>
        <translation>回复，或以 ! 开头自己运行命令</translation>
    </message>
    <message>
        <source>Start a line with ! to run a command, as in !ls -la</source>
        <translation>以 ! 开头即可运行命令，例如 !ls -la</translation>
    </message>
    <message>
        <source>No sandbox</source>
        <translation>没有沙箱</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Terminal in this thread's sandbox (Ctrl+`)</source>
        <translation>此对话沙箱中的终端（Ctrl+`）</translation>
    </message>
    <message>
        <source>This thread has no sandbox any more.</source>
        <translation>此对话已没有沙箱。</translation>
    </message>
    <message>
        <source>Agent: %1</source>
        <translation>智能体：%1</translation>
    </message>
    <message>
        <source>More of this thread</source>
        <translation>此对话的更多操作</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>A folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Find in this thread (Ctrl+F)</source>
        <translation>在此对话中查找（Ctrl+F）</translation>
    </message>
    <message>
        <source>Export as Markdown…</source>
        <translation>导出为 Markdown…</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>导出为 JSON…</translation>
    </message>
    <message>
        <source>This thread has no sandbox that files could be put into.</source>
        <translation>此对话没有可以放入文件的沙箱。</translation>
    </message>
    <message>
        <source>This thread is archived.</source>
        <translation>此对话已归档。</translation>
    </message>
    <message>
        <source>The agent %1 may only read: nothing is written into its sandboxes.</source>
        <translation>智能体 %1 只能读取：不会向它的沙箱写入任何内容。</translation>
    </message>
    <message>
        <source>Files cannot be attached here</source>
        <translation>这里不能添加文件</translation>
    </message>
    <message>
        <source>These are too many files</source>
        <translation>文件太多</translation>
    </message>
    <message>
        <source>A message takes %1. Put them into a folder and attach that.</source>
        <translation>一条消息最多 %1 个。请把它们放进一个文件夹再添加。</translation>
    </message>
    <message>
        <source>Attach a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>添加文件</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for %n file(s)</source>
        <translation>
            <numerusform>正在等待 %n 个文件</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::ConversationView</name>
    <message>
        <source>Jump to latest</source>
        <translation>跳到最新</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话内容</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Show all output</source>
        <translation>显示全部输出</translation>
    </message>
    <message>
        <source>Copy output</source>
        <translation>复制输出</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Use command again</source>
        <translation>再次使用该命令</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Use again</source>
        <translation>再次使用</translation>
    </message>
    <message>
        <source>Copy change</source>
        <translation>复制更改</translation>
    </message>
    <message>
        <source>Copy result</source>
        <translation>复制结果</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Copy as plain text</source>
        <translation>复制为纯文本</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Use as command</source>
        <translation>用作命令</translation>
    </message>
    <message>
        <source>Hide what it thought</source>
        <translation>隐藏思考过程</translation>
    </message>
    <message>
        <source>Show what it thought</source>
        <translation>显示思考过程</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>编辑并重新发送</translation>
    </message>
    <message>
        <source>Open in the browser</source>
        <translation>在浏览器中打开</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>复制地址</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
    <message>
        <source>Not opened: it has a user name in front of the host</source>
        <translation>不会打开：主机名前带有用户名</translation>
    </message>
    <message>
        <source>Copy code %1: %2</source>
        <translation>复制代码 %1：%2</translation>
    </message>
    <message>
        <source>Link: %1</source>
        <translation>链接：%1</translation>
    </message>
</context>
<context>
    <name>berth::ui::CpuOverview</name>
    <message>
        <source>CPU, all runtimes, last 15 min</source>
        <translation>CPU，全部运行实例，最近 15 分钟</translation>
    </message>
    <message>
        <source>%1: now %2 cores, highest %3</source>
        <translation>%1：当前 %2 核，最高 %3</translation>
    </message>
    <message>
        <source>Nothing sampled yet</source>
        <translation>尚无采样</translation>
    </message>
    <message>
        <source>CPU, 15 min</source>
        <translation>CPU，15 分钟</translation>
    </message>
</context>
<context>
    <name>berth::ui::DestroyDialog</name>
    <message>
        <source>Destroy</source>
        <translation>销毁</translation>
    </message>
    <message>
        <source>Destroy %1?</source>
        <translation>销毁 %1？</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>provider and image</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>The instance at %1 and everything stored in it is removed for good.</source>
        <translation>%1 上的实例及其中存储的一切将被永久删除。</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>“%1”</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between titles of threads</comment>
        <translation>、 </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 和另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>Used by %1. What was said there stays readable; the next message starts in an empty sandbox.</source>
        <translation>正被 %1 使用。已有内容仍可阅读；下一条消息将在空沙箱中开始。</translation>
    </message>
</context>
<context>
    <name>berth::ui::EntryRow</name>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>%1…</source>
        <comment>a button that asks first</comment>
        <translation>%1…</translation>
    </message>
    <message>
        <source>Edit: %1</source>
        <translation>编辑：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>action, on what</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::EventList</name>
    <message>
        <source>Asked for</source>
        <translation>已请求</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Being created</source>
        <translation>正在创建</translation>
    </message>
    <message>
        <source>Found again</source>
        <translation>已重新找到</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Pause asked for</source>
        <translation>已请求暂停</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Resumed</source>
        <translation>已恢复</translation>
    </message>
    <message>
        <source>Destroy asked for</source>
        <translation>已请求销毁</translation>
    </message>
    <message>
        <source>Destroyed</source>
        <translation>已销毁</translation>
    </message>
    <message>
        <source>Changed outside</source>
        <translation>在外部被更改</translation>
    </message>
    <message>
        <source>Gone</source>
        <translation>已消失</translation>
    </message>
    <message>
        <source>Resume asked for</source>
        <translation>已请求恢复</translation>
    </message>
    <message>
        <source>Not created</source>
        <translation>未创建</translation>
    </message>
    <message>
        <source>Set up</source>
        <translation>已设置</translation>
    </message>
    <message>
        <source>Not in the wanted state</source>
        <translation>不在期望的状态</translation>
    </message>
    <message>
        <source>Destroy asked for, with time to undo</source>
        <translation>已请求销毁，可在期限内撤销</translation>
    </message>
    <message>
        <source>Destroy undone</source>
        <translation>销毁已撤销</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>命令行</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>Berth</source>
        <translation>Berth</translation>
    </message>
    <message>
        <source>Berth, looking</source>
        <translation>Berth 查看时</translation>
    </message>
    <message>
        <source>No events</source>
        <translation>没有事件</translation>
    </message>
    <message>
        <source>When</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>What</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>By</source>
        <translation>来源</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>No lease of this database knows this runtime.</source>
        <translation>此数据库中没有租约认识此运行实例。</translation>
    </message>
    <message>
        <source>Nothing has happened to it yet.</source>
        <translation>尚未发生任何事件。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what happened, error</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::ExpandHead</name>
    <message>
        <source>%1 · %2</source>
        <comment>provider and config</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <comment>provider, state</comment>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::ExportStrip</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Export this thread</source>
        <translation>导出此对话</translation>
    </message>
    <message>
        <source>Exporting: %1 of %2</source>
        <translation>正在导出：%1 / %2</translation>
    </message>
    <message>
        <source>Exporting…</source>
        <translation>正在导出…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1. Of long outputs %2 were left out; what was left out is said in the file.</source>
        <translation>%1。较长的输出省略了 %2；文件中注明了省略之处。</translation>
    </message>
    <message>
        <source>Exported as %1</source>
        <translation>已导出为 %1</translation>
    </message>
</context>
<context>
    <name>berth::ui::FailureBanner</name>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>what and why</comment>
        <translation>%1。%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::FieldEditor</name>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>%1 or more</source>
        <translation>%1 或更多</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>最多 %1</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>unit and range</comment>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>berth::ui::FileBrowser</name>
    <message>
        <source>Hidden files</source>
        <translation>隐藏文件</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Resume and look</source>
        <translation>恢复并查看</translation>
    </message>
    <message>
        <source>Not renamed</source>
        <translation>未重命名</translation>
    </message>
    <message>
        <source>Folder above</source>
        <translation>上级文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>Upload</source>
        <translation>上传</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>Name of the new folder</source>
        <translation>新文件夹的名称</translation>
    </message>
    <message>
        <source>Create</source>
        <translation>创建</translation>
    </message>
    <message>
        <source>No files to show</source>
        <translation>没有可显示的文件</translation>
    </message>
    <message>
        <source>%1 is not running</source>
        <translation>%1 没有运行</translation>
    </message>
    <message>
        <source>Its files can be seen once it runs.</source>
        <translation>运行后才能看到其文件。</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This folder is empty</source>
        <translation>此文件夹为空</translation>
    </message>
    <message numerus="yes">
        <source>%n hidden file(s) are not shown.</source>
        <translation>
            <numerusform>有 %n 个隐藏文件未显示。</numerusform>
        </translation>
    </message>
    <message>
        <source>Drop files here to bring them in.</source>
        <translation>把文件拖放到这里即可上传。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message numerus="yes">
        <source>%n entries</source>
        <translation>
            <numerusform>%n 个条目</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hidden</source>
        <translation>
            <numerusform>%n 个隐藏</numerusform>
        </translation>
    </message>
    <message>
        <source>more below; sorted among these</source>
        <translation>下面还有更多；仅在这些之间排序</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what failed, why</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No folder made</source>
        <translation>未创建文件夹</translation>
    </message>
    <message>
        <source>Delete %1?</source>
        <translation>删除 %1？</translation>
    </message>
    <message numerus="yes">
        <source>Delete %n files and folders?</source>
        <translation>
            <numerusform>删除 %n 个文件和文件夹？</numerusform>
        </translation>
    </message>
    <message>
        <source>With everything in it. This cannot be undone.</source>
        <translation>连同其中的一切。此操作无法撤销。</translation>
    </message>
    <message>
        <source>This cannot be undone.</source>
        <translation>此操作无法撤销。</translation>
    </message>
    <message>
        <source>%1 was not deleted</source>
        <translation>%1 未被删除</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Upload files…</source>
        <translation>上传文件…</translation>
    </message>
    <message>
        <source>Upload folder…</source>
        <translation>上传文件夹…</translation>
    </message>
    <message>
        <source>Upload folder</source>
        <translation>上传文件夹</translation>
    </message>
    <message>
        <source>Upload files</source>
        <translation>上传文件</translation>
    </message>
    <message>
        <source>Download into</source>
        <translation>下载到</translation>
    </message>
</context>
<context>
    <name>berth::ui::FileModel</name>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln 字节</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>kind of file, name</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Modified</source>
        <translation>修改时间</translation>
    </message>
</context>
<context>
    <name>berth::ui::FilePreview</name>
    <message>
        <source>Download…</source>
        <translation>下载…</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Content of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>Neither a file nor a folder: nothing to show.</source>
        <translation>既不是文件也不是文件夹：没有可显示的内容。</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>what, why</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>Picture, %1 × %2 pixels</source>
        <translation>图片，%1 × %2 像素</translation>
    </message>
    <message>
        <source>%1 × %2 pixels · %3</source>
        <translation>%1 × %2 像素 · %3</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>The first %1 of %2</source>
        <translation>%2 中的前 %1</translation>
    </message>
    <message>
        <source>Not text: the first %1 of %2</source>
        <translation>不是文本：%2 中的前 %1</translation>
    </message>
    <message>
        <source>Not text: %1</source>
        <translation>不是文本：%1</translation>
    </message>
</context>
<context>
    <name>berth::ui::FilterChips</name>
    <message>
        <source>Show runtimes of</source>
        <translation>显示以下运行实例</translation>
    </message>
</context>
<context>
    <name>berth::ui::FindBar</name>
    <message>
        <source>Previous match (Shift+Return)</source>
        <translation>上一个匹配（Shift+回车）</translation>
    </message>
    <message>
        <source>Next match (Return)</source>
        <translation>下一个匹配（回车）</translation>
    </message>
    <message>
        <source>Clear the text</source>
        <translation>清除文字</translation>
    </message>
    <message>
        <source>Close the search (Esc)</source>
        <translation>关闭查找（Esc）</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>berth::ui::FormRow</name>
    <message>
        <source>%1 (required)</source>
        <translation>%1（必填）</translation>
    </message>
</context>
<context>
    <name>berth::ui::HookForm</name>
    <message>
        <source>When</source>
        <translation>时机</translation>
    </message>
    <message>
        <source>Asked before a tool call it may deny it; told after one it cannot.</source>
        <translation>在工具调用之前被询问时可以拒绝它；事后被告知时则不能。</translation>
    </message>
    <message>
        <source>Asked before</source>
        <translation>事前询问</translation>
    </message>
    <message>
        <source>Told after</source>
        <translation>事后告知</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Its absolute path. It is started as it is, without a shell, and gets the call as JSON.</source>
        <translation>绝对路径。程序不经 shell 直接启动，并以 JSON 收到该调用。</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>One in each line; may stay empty.</source>
        <translation>每行一个；可以留空。</translation>
    </message>
    <message>
        <source>New hook</source>
        <translation>新建钩子</translation>
    </message>
    <message>
        <source>Hook: %1</source>
        <translation>钩子：%1</translation>
    </message>
    <message>
        <source>Change this hook</source>
        <translation>更改此钩子</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>None is chosen: every tool.</source>
        <translation>未选择：所有工具。</translation>
    </message>
    <message>
        <source>Add hook</source>
        <translation>添加钩子</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>They stay as they are: one of them is empty, has a line break or begins or ends with a space, which a line cannot show. Change them in the file.</source>
        <translation>它们保持不变：其中一个为空、含有换行，或以空格开头或结尾，无法按行显示。请在文件中修改。</translation>
    </message>
</context>
<context>
    <name>berth::ui::HookSettings</name>
    <message>
        <source>Every tool</source>
        <translation>所有工具</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names of tools</comment>
        <translation>、 </translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Add a hook</source>
        <translation>添加钩子</translation>
    </message>
    <message>
        <source>There is no hook.</source>
        <translation>没有钩子。</translation>
    </message>
    <message>
        <source>Programs of yours that are asked before a tool call, or told after it. Exit code 0 allows, 2 denies with the reason on standard error; anything else, or no answer within 10 seconds, denies too.</source>
        <translation>您自己的程序，在工具调用之前被询问，或在之后被告知。退出码 0 表示允许，2 表示拒绝（理由取自标准错误输出）；其他退出码或 10 秒内没有应答也视为拒绝。</translation>
    </message>
    <message>
        <source>Hooks run on this machine itself, as you, outside of any sandbox</source>
        <translation>钩子以您的身份直接在本机运行，不在任何沙箱之内</translation>
    </message>
    <message>
        <source>Name only programs that you wrote or trust. What an agent can change must not be one of them.</source>
        <translation>只填写您自己编写或信任的程序。智能体能够改动的文件不得作为钩子。</translation>
    </message>
    <message>
        <source>The file of the hooks cannot be used: no tool call is allowed now</source>
        <translation>钩子文件无法使用：目前不允许任何工具调用</translation>
    </message>
    <message>
        <source>%1
Mend or remove %2, then check again.</source>
        <comment>problem, path</comment>
        <translation>%1
请修复或移除 %2，然后重新检查。</translation>
    </message>
    <message>
        <source>Kept in %1</source>
        <translation>保存在 %1</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove this hook?</source>
        <translation>移除此钩子？</translation>
    </message>
    <message>
        <source>Tool calls are no longer asked about there. The program stays.</source>
        <translation>工具调用不再询问它。程序本身会保留。</translation>
    </message>
    <message>
        <source>It is no longer told. The program stays.</source>
        <translation>不再告知它。程序本身会保留。</translation>
    </message>
    <message>
        <source>Not removed: %1</source>
        <translation>未移除：%1</translation>
    </message>
    <message>
        <source>it was changed meanwhile</source>
        <translation>它在此期间已被更改</translation>
    </message>
    <message>
        <source>The hook is no longer in the list as it was when you opened it. Cancel, and look at the list as it is now.</source>
        <translation>列表中的这个钩子已与您打开时不同。请取消，然后查看当前的列表。</translation>
    </message>
</context>
<context>
    <name>berth::ui::LifecycleForm</name>
    <message>
        <source>Idle for</source>
        <translation>空闲时长</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Default</source>
        <translation>默认</translation>
    </message>
    <message>
        <source>On demand</source>
        <translation>按需</translation>
    </message>
    <message>
        <source>With a session</source>
        <translation>随会话</translation>
    </message>
    <message>
        <source>Starts</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>On demand: at the first command. With a session: as soon as somebody opens a thread to send.</source>
        <translation>按需：在第一条命令时。随会话：一有人打开对话准备发送时。</translation>
    </message>
    <message>
        <source>When idle</source>
        <translation>空闲时</translation>
    </message>
    <message>
        <source>With the last session</source>
        <translation>随最后一个会话</translation>
    </message>
    <message>
        <source>Stops</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Never while a command is under way.</source>
        <translation>命令进行中绝不停止。</translation>
    </message>
    <message>
        <source>minutes; 0: never</source>
        <translation>分钟；0：从不</translation>
    </message>
    <message>
        <source>Up to a week. For Daytona shorter than its own auto-stop interval.</source>
        <translation>最长一周。对 Daytona 须短于其自身的自动停止间隔。</translation>
    </message>
    <message>
        <source>Set for each provider in Settings</source>
        <translation>在“设置”中按提供方设置</translation>
    </message>
    <message>
        <source>When Berth quits</source>
        <translation>Berth 退出时</translation>
    </message>
    <message>
        <source>The lifecycle cannot be read</source>
        <translation>无法读取生命周期</translation>
    </message>
    <message>
        <source>A whole number of minutes, 0 to %L1.</source>
        <translation>分钟数，0 到 %L1 的整数。</translation>
    </message>
    <message>
        <source>Each sandbox of this agent %1.</source>
        <translation>此智能体的每个沙箱：%1。</translation>
    </message>
    <message>
        <source>This sandbox %1.</source>
        <translation>此沙箱：%1。</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
</context>
<context>
    <name>berth::ui::LockChip</name>
    <message>
        <source>A thread keeps its sandbox for life.</source>
        <translation>对话与其沙箱终身绑定。</translation>
    </message>
    <message>
        <source>Sandbox of this thread: %1</source>
        <translation>此对话的沙箱：%1</translation>
    </message>
</context>
<context>
    <name>berth::ui::MainWindow</name>
    <message>
        <source>%1 of %2 done</source>
        <translation>已完成 %1 / %2</translation>
    </message>
    <message>
        <source>Not connected to the Engine</source>
        <translation>未连接到引擎</translation>
    </message>
    <message>
        <source>What is shown may be out of date. Berth connects again by itself.</source>
        <translation>所显示的内容可能已过时。Berth 会自动重新连接。</translation>
    </message>
    <message>
        <source>%1. Berth connects again by itself.</source>
        <translation>%1。Berth 会自动重新连接。</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>New thread</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>%1 — Berth</source>
        <translation>%1 — Berth</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>window title, data directory</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
</context>
<context>
    <name>berth::ui::MintedCard</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>New token: %1</source>
        <translation>新令牌：%1</translation>
    </message>
    <message>
        <source>Token “%1” was made</source>
        <translation>已创建令牌“%1”</translation>
    </message>
    <message>
        <source>It is shown only now: Berth keeps no more of it than what tells it apart. Whoever has it may do what it may.</source>
        <translation>它只在此刻显示：Berth 只保留用于辨认它的信息。持有它的人可以做它被允许的一切。</translation>
    </message>
    <message>
        <source>The new token</source>
        <translation>新令牌</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>berth::ui::ModelCard</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What agents call it.</source>
        <translation>智能体用这个名称称呼它。</translation>
    </message>
    <message>
        <source>Up to 32 small letters, digits, - and _.</source>
        <translation>最多 32 个小写字母、数字、- 和 _。</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>基础 URL</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>It offers: %1</source>
        <translation>它提供：%1</translation>
    </message>
    <message>
        <source>Speaks</source>
        <translation>协议</translation>
    </message>
    <message>
        <source>OpenAI-compatible</source>
        <translation>兼容 OpenAI</translation>
    </message>
    <message>
        <source>Anthropic Messages</source>
        <translation>Anthropic Messages</translation>
    </message>
    <message>
        <source>Anthropic Messages, older header</source>
        <translation>Anthropic Messages，旧式请求头</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Empty: as the server says.</source>
        <translation>留空：以服务器所说为准。</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>token</translation>
    </message>
    <message>
        <source>For a million tokens. Empty: no cost is shown.</source>
        <translation>每百万 token。留空：不显示费用。</translation>
    </message>
    <message>
        <source>Price in</source>
        <translation>输入价格</translation>
    </message>
    <message>
        <source>Price out</source>
        <translation>输出价格</translation>
    </message>
    <message>
        <source>Currency</source>
        <translation>货币</translation>
    </message>
    <message>
        <source>A number such as 2.5.</source>
        <translation>一个数字，如 2.5。</translation>
    </message>
    <message>
        <source>As in USD.</source>
        <translation>如 USD。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>测试</translation>
    </message>
    <message>
        <source>Make default</source>
        <translation>设为默认</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>New endpoint</source>
        <translation>新端点</translation>
    </message>
    <message>
        <source>%1 · default</source>
        <comment>endpoint of a model</comment>
        <translation>%1 · 默认</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Not tested</source>
        <translation>未测试</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Cancel test</source>
        <translation>取消测试</translation>
    </message>
    <message>
        <source>It is tried as it is saved: save it first.</source>
        <translation>测试的是已保存的内容：请先保存。</translation>
    </message>
    <message>
        <source>Really remove</source>
        <translation>确认移除</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>The key was not removed</source>
        <translation>密钥未移除</translation>
    </message>
    <message>
        <source>The key was not stored</source>
        <translation>密钥未存储</translation>
    </message>
    <message>
        <source>Test cancelled</source>
        <translation>测试已取消</translation>
    </message>
    <message>
        <source>The test could not be made</source>
        <translation>无法进行测试</translation>
    </message>
    <message>
        <source>Answered in %1</source>
        <translation>在 %1 内应答</translation>
    </message>
    <message>
        <source>Failed after %1</source>
        <translation>%1 后失败</translation>
    </message>
    <message>
        <source>The test failed</source>
        <translation>测试失败</translation>
    </message>
    <message>
        <source>Not removed</source>
        <translation>未移除</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what and why</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::ModelSection</name>
    <message>
        <source>Endpoints that agents may use. None is connected: lines without ! stay drafts.</source>
        <translation>智能体可使用的端点。尚未连接：不以 ! 开头的行保留为草稿。</translation>
    </message>
    <message>
        <source>Endpoints that agents may use.</source>
        <translation>智能体可使用的端点。</translation>
    </message>
    <message>
        <source>models.json cannot be used</source>
        <translation>无法使用 models.json</translation>
    </message>
    <message>
        <source>Add an endpoint</source>
        <translation>添加端点</translation>
    </message>
    <message>
        <source>%1 · answers now</source>
        <translation>%1 · 现在可应答</translation>
    </message>
</context>
<context>
    <name>berth::ui::NewThreadPage</name>
    <message>
        <source>Start thread</source>
        <translation>开始对话</translation>
    </message>
    <message>
        <source>Choose a sandbox that is ready</source>
        <translation>请选择一个就绪的沙箱</translation>
    </message>
    <message>
        <source>Where agents run</source>
        <translation>智能体在哪里运行</translation>
    </message>
    <message>
        <source>Which model</source>
        <translation>使用哪个模型</translation>
    </message>
    <message>
        <source>Without one, a thread runs the commands that you type.</source>
        <translation>没有模型时，对话运行您输入的命令。</translation>
    </message>
    <message>
        <source>Connect a model</source>
        <translation>连接模型</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Writes this command into the box above</source>
        <translation>把此命令写入上方输入框</translation>
    </message>
    <message>
        <source>Give an agent a body</source>
        <translation>给智能体一个身体</translation>
    </message>
    <message>
        <source>What should the agent work on?</source>
        <translation>智能体要做什么？</translation>
    </message>
    <message>
        <source>Nothing here is required, or has an order. Everything can be changed in Settings.</source>
        <translation>这里没有必填项，也没有先后顺序。一切都可以在设置中更改。</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>已连接</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>尚无</translation>
    </message>
    <message>
        <source>Say what to do, or start with ! to run a command yourself</source>
        <translation>说明要做什么，或以 ! 开头自己运行命令</translation>
    </message>
    <message>
        <source>A line that starts with ! runs in the sandbox without the model.</source>
        <translation>以 ! 开头的行不经过模型，直接在沙箱中运行。</translation>
    </message>
    <message>
        <source>Start with ! to run a command, as in !python3 --version</source>
        <translation>以 ! 开头即可运行命令，例如 !python3 --version</translation>
    </message>
    <message>
        <source>A line that starts with ! runs as a command in the sandbox. Ctrl+Return starts the thread.</source>
        <translation>以 ! 开头的行作为命令在沙箱中运行。按 Ctrl+回车开始对话。</translation>
    </message>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Set up %1</source>
        <translation>设置 %1</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在检查</translation>
    </message>
    <message numerus="yes">
        <source>%n ready</source>
        <translation>
            <numerusform>%n 个就绪</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::NotificationSetting</name>
    <message>
        <source>Desktop notifications</source>
        <translation>桌面通知</translation>
    </message>
    <message>
        <source>While the window is not in front: when something needs your approval, and when a run has ended. Only the kind of action and the thread's title are told.</source>
        <translation>当窗口不在前台时：有操作需要您批准，或有运行结束。只告知操作类型和对话标题。</translation>
    </message>
    <message>
        <source>%1 Shown by %2.</source>
        <translation>%1 由 %2 显示。</translation>
    </message>
    <message>
        <source>Not available</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>why it is not available, what it would do</comment>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>berth::ui::Notifier</name>
    <message numerus="yes">
        <source>and %n more</source>
        <translation>
            <numerusform>以及另外 %n 项</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>kind of action, title of the thread</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Your approval is needed</source>
        <translation>需要您的批准</translation>
    </message>
    <message numerus="yes">
        <source>%n actions wait for you</source>
        <translation>
            <numerusform>%n 项操作等待您决定</numerusform>
        </translation>
    </message>
    <message>
        <source>A thread</source>
        <translation>一个对话</translation>
    </message>
    <message>
        <source>%1 (failed)</source>
        <comment>title of a thread</comment>
        <translation>%1（失败）</translation>
    </message>
    <message>
        <source>A run has failed</source>
        <translation>一次运行失败</translation>
    </message>
    <message>
        <source>A run has ended</source>
        <translation>一次运行已结束</translation>
    </message>
    <message numerus="yes">
        <source>%n runs have ended</source>
        <translation>
            <numerusform>%n 次运行已结束</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>berth::ui::OutputCopy</name>
    <message>
        <source>Copied the last %1</source>
        <translation>已复制最后 %1</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>berth::ui::OutputSearch</name>
    <message>
        <source>Find in this output</source>
        <translation>在此输出中查找</translation>
    </message>
</context>
<context>
    <name>berth::ui::OutputView</name>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>No output</source>
        <translation>无输出</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>berth::ui::OutputViewer</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Save to file…</source>
        <translation>保存到文件…</translation>
    </message>
    <message>
        <source>Back to the conversation (Esc)</source>
        <translation>返回对话（Esc）</translation>
    </message>
    <message>
        <source>Save the output</source>
        <translation>保存输出</translation>
    </message>
    <message>
        <source>The file cannot be written</source>
        <translation>无法写入文件</translation>
    </message>
    <message>
        <source>Saving %1 of %2…</source>
        <translation>正在保存 %1 / %2…</translation>
    </message>
    <message>
        <source>Saved as %1</source>
        <translation>已保存为 %1</translation>
    </message>
</context>
<context>
    <name>berth::ui::PassthroughSetting</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Allow without isolation</source>
        <translation>允许无隔离运行</translation>
    </message>
    <message>
        <source>Allow sandboxes without isolation</source>
        <translation>允许无隔离的沙箱</translation>
    </message>
    <message>
        <source>With this, a Local provider may be set to isolation “none”: its commands then run on this machine itself, as you. It holds for this machine and can be switched here only.</source>
        <translation>开启后，本地提供方可以把隔离设为“none”：其命令将以您的身份直接在本机上运行。此开关只对本机有效，且只能在这里切换。</translation>
    </message>
    <message>
        <source>Commands could read your keys, change your files and reach your network. Sandboxes that are there stay as they are.</source>
        <translation>命令可以读取您的密钥、更改您的文件并访问您的网络。已有的沙箱保持原样。</translation>
    </message>
    <message>
        <source>On</source>
        <translation>开</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>关闭开关</translation>
    </message>
    <message>
        <source>Allow…</source>
        <translation>允许…</translation>
    </message>
    <message>
        <source>Switch sandboxes without isolation off</source>
        <translation>关闭无隔离的沙箱</translation>
    </message>
</context>
<context>
    <name>berth::ui::PictureShelf</name>
    <message>
        <source>Reading %1…</source>
        <translation>正在读取 %1…</translation>
    </message>
    <message>
        <source>%1: the sandbox is not running. Click to start it and look.</source>
        <translation>%1：沙箱未运行。点击以启动它并查看。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>a picture, why it is not shown</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1 is larger than %2 and is not shown</source>
        <translation>%1 大于 %2，不显示</translation>
    </message>
    <message>
        <source>%1 has too many pixels and is not shown</source>
        <translation>%1 像素过多，不显示</translation>
    </message>
    <message>
        <source>%1 is no picture that can be shown</source>
        <translation>%1 不是可以显示的图片</translation>
    </message>
    <message>
        <source>%1, %2 × %3 pixels</source>
        <translation>%1，%2 × %3 像素</translation>
    </message>
</context>
<context>
    <name>berth::ui::PresetCard</name>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Give to new agents</source>
        <translation>用于新智能体</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Up to 32 small letters, digits, - and _.</source>
        <translation>最多 32 个小写字母、数字、- 和 _。</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>This preset cannot be used</source>
        <translation>此预设无法使用</translation>
    </message>
    <message>
        <source>New preset</source>
        <translation>新预设</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Cannot be used</source>
        <translation>无法使用</translation>
    </message>
    <message>
        <source>For new agents</source>
        <translation>用于新智能体</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>A name has up to 32 small letters, digits, - and _, and begins with a letter or a digit.</source>
        <translation>名称最多 32 个小写字母、数字、- 和 _，并以字母或数字开头。</translation>
    </message>
    <message>
        <source>No longer for new agents</source>
        <translation>不再用于新智能体</translation>
    </message>
    <message>
        <source>Not changed</source>
        <translation>未更改</translation>
    </message>
    <message>
        <source>Remove preset %1?</source>
        <translation>移除预设 %1？</translation>
    </message>
    <message>
        <source>It is taken out of gateway.json. Sandboxes that were made from it stay as they are.</source>
        <translation>它将从 gateway.json 中移除。由它创建的沙箱保持不变。</translation>
    </message>
    <message>
        <source>New agents get no sandbox by themselves then.</source>
        <translation>此后新智能体不会自动获得沙箱。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Not removed</source>
        <translation>未移除</translation>
    </message>
</context>
<context>
    <name>berth::ui::PresetFields</name>
    <message>
        <source>It has no settings of its own.</source>
        <translation>它没有自己的设置。</translation>
    </message>
</context>
<context>
    <name>berth::ui::PresetSection</name>
    <message>
        <source>Add a preset</source>
        <translation>添加预设</translation>
    </message>
    <message>
        <source>Templates that sandboxes are made from, kept in</source>
        <translation>用于创建沙箱的模板，保存在</translation>
    </message>
    <message>
        <source>File of the presets</source>
        <translation>预设文件</translation>
    </message>
    <message>
        <source>Give new agents none</source>
        <translation>新智能体不使用预设</translation>
    </message>
    <message>
        <source>New agents get no sandbox by themselves.</source>
        <translation>新智能体不会自动获得沙箱。</translation>
    </message>
    <message>
        <source>New agents get a sandbox made from %1.</source>
        <translation>新智能体会获得由 %1 创建的沙箱。</translation>
    </message>
    <message>
        <source>The preset for new agents is not there</source>
        <translation>用于新智能体的预设不存在</translation>
    </message>
    <message>
        <source>gateway.json cannot be used</source>
        <translation>无法使用 gateway.json</translation>
    </message>
</context>
<context>
    <name>berth::ui::ProcessList</name>
    <message>
        <source>Background commands</source>
        <translation>后台命令</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>从列表中移除</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Copy command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>berth::ui::ProviderCard</name>
    <message>
        <source>Loading…</source>
        <translation>正在载入…</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>复制详情</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Test connection</source>
        <translation>测试连接</translation>
    </message>
    <message>
        <source>Show as JSON</source>
        <translation>显示为 JSON</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Text of the file as saving would write it</source>
        <translation>保存时将写入的文件内容</translation>
    </message>
    <message>
        <source>%1 (not written yet)</source>
        <translation>%1（尚未写入）</translation>
    </message>
    <message>
        <source>The settings could not be read</source>
        <translation>无法读取设置</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>The file has a mistake and is left as it is; mend it first.</source>
        <translation>文件有错误，已保持原样；请先修正它。</translation>
    </message>
    <message>
        <source>A field needs another value first.</source>
        <translation>请先更正某个字段的值。</translation>
    </message>
    <message>
        <source>Nothing has changed.</source>
        <translation>没有任何更改。</translation>
    </message>
    <message>
        <source>Cancel test</source>
        <translation>取消测试</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>未保存</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>Test cancelled</source>
        <translation>测试已取消</translation>
    </message>
    <message>
        <source>The test could not be made</source>
        <translation>无法进行测试</translation>
    </message>
    <message>
        <source>Connected in %1</source>
        <translation>已连接，用时 %1</translation>
    </message>
    <message>
        <source>Connected in %1 · %2</source>
        <translation>已连接，用时 %1 · %2</translation>
    </message>
    <message>
        <source>Failed after %1</source>
        <translation>失败，用时 %1</translation>
    </message>
    <message>
        <source>The test failed</source>
        <translation>测试失败</translation>
    </message>
    <message>
        <source>Hide JSON</source>
        <translation>隐藏 JSON</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what and why</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Not confirmed</source>
        <translation>未确认</translation>
    </message>
    <message>
        <source>Asking the key store…</source>
        <translation>正在询问密钥库…</translation>
    </message>
    <message>
        <source>The key was not removed</source>
        <translation>密钥未被移除</translation>
    </message>
    <message>
        <source>The key was not stored</source>
        <translation>密钥未能存储</translation>
    </message>
    <message>
        <source>Key removed</source>
        <translation>密钥已移除</translation>
    </message>
    <message>
        <source>Key stored</source>
        <translation>密钥已存储</translation>
    </message>
</context>
<context>
    <name>berth::ui::ProviderFields</name>
    <message numerus="yes">
        <source>More settings (%n)</source>
        <translation>
            <numerusform>更多设置（%n）</numerusform>
        </translation>
    </message>
    <message>
        <source>open</source>
        <translation>已展开</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>已折叠</translation>
    </message>
    <message>
        <source>Service</source>
        <translation>服务</translation>
    </message>
</context>
<context>
    <name>berth::ui::ProviderModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::ProviderNotes</name>
    <message>
        <source>Open the console</source>
        <translation>打开控制台</translation>
    </message>
    <message>
        <source>Nothing is to be installed.</source>
        <translation>无需安装任何东西。</translation>
    </message>
    <message>
        <source>Open the console of %1</source>
        <translation>打开 %1 的控制台</translation>
    </message>
</context>
<context>
    <name>berth::ui::ResourcesPage</name>
    <message>
        <source>Nothing runs yet</source>
        <translation>尚无运行实例</translation>
    </message>
    <message>
        <source>A sandbox appears here when a thread uses it for the first time, with what it uses and what can be done to it.</source>
        <translation>对话首次使用沙箱后，它会出现在这里，并显示其资源占用和可执行的操作。</translation>
    </message>
    <message>
        <source>Start a thread</source>
        <translation>开始一个对话</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>provider and config</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Live · 1 s</source>
        <translation>实时 · 1 秒</translation>
    </message>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message numerus="yes">
        <source>of %n in all</source>
        <translation>
            <numerusform>共 %n 个</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n unreachable</source>
        <translation>
            <numerusform>%n 个无法访问</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n orphaned</source>
        <translation>
            <numerusform>%n 个孤立</numerusform>
        </translation>
    </message>
    <message>
        <source>all well</source>
        <translation>一切正常</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>provider and number of its runtimes</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Group by provider</source>
        <translation>按提供方分组</translation>
    </message>
    <message>
        <source>No groups</source>
        <translation>不分组</translation>
    </message>
    <message>
        <source>Sort: %1</source>
        <translation>排序：%1</translation>
    </message>
    <message>
        <source>No runtime here.</source>
        <translation>这里没有运行实例。</translation>
    </message>
    <message>
        <source>No runtime matches “%1”.</source>
        <translation>没有与“%1”匹配的运行实例。</translation>
    </message>
    <message>
        <source>Refreshing…</source>
        <translation>正在刷新…</translation>
    </message>
    <message>
        <source>Refresh</source>
        <translation>刷新</translation>
    </message>
    <message>
        <source>Could not refresh: %1</source>
        <translation>无法刷新：%1</translation>
    </message>
    <message>
        <source>%1 did not answer</source>
        <translation>%1 没有响应</translation>
    </message>
    <message>
        <source>The list may be incomplete; what is known of it stays, with its age.</source>
        <translation>列表可能不完整；已知的内容会保留并标明时间。</translation>
    </message>
    <message>
        <source>Show details</source>
        <translation>显示详情</translation>
    </message>
    <message>
        <source>Undo destroy</source>
        <translation>撤销销毁</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Open “%1”</source>
        <translation>打开“%1”</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Provider settings…</source>
        <translation>提供方设置…</translation>
    </message>
    <message>
        <source>Destroy…</source>
        <translation>销毁…</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Filter runtimes</source>
        <translation>筛选运行实例</translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation>Ctrl+F</translation>
    </message>
    <message>
        <source>Ask the providers now (F5)</source>
        <translation>立即询问各提供方（F5）</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>Needs care</source>
        <translation>需要处理</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuleEditor</name>
    <message>
        <source>Always allow</source>
        <translation>始终允许</translation>
    </message>
    <message>
        <source>Pattern</source>
        <translation>模式</translation>
    </message>
    <message>
        <source>Words as in the command; * at the end stands for any further words.</source>
        <translation>与命令中的词相同；末尾的 * 表示其后的任意词。</translation>
    </message>
    <message>
        <source>It matches</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>It does not match</source>
        <translation>不匹配</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Pattern %1 of %2</source>
        <translation>第 %1 个模式，共 %2 个</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuleForm</name>
    <message>
        <source>New rule</source>
        <translation>新建规则</translation>
    </message>
    <message>
        <source>Rule: %1</source>
        <translation>规则：%1</translation>
    </message>
    <message>
        <source>Change this rule</source>
        <translation>更改此规则</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Decision</source>
        <translation>决定</translation>
    </message>
    <message>
        <source>Allow</source>
        <translation>允许</translation>
    </message>
    <message>
        <source>Ask</source>
        <translation>询问</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Holds for</source>
        <translation>适用于</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>One agent</source>
        <translation>一个智能体</translation>
    </message>
    <message>
        <source>One thread</source>
        <translation>一个对话</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Thread</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>工具</translation>
    </message>
    <message>
        <source>A deny rule wins over every other one, also for the lines that you type with !.</source>
        <translation>拒绝规则优先于所有其他规则，对您用 ! 输入的命令也有效。</translation>
    </message>
    <message>
        <source>It is asked for each time, whatever other rules allow.</source>
        <translation>每次都会询问，无论其他规则允许什么。</translation>
    </message>
    <message>
        <source>It is done without asking, where no other rule asks for it or denies it.</source>
        <translation>无需询问即可执行，除非另有规则要求询问或拒绝。</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuleList</name>
    <message>
        <source>Add a rule</source>
        <translation>添加规则</translation>
    </message>
    <message>
        <source>There is no rule. Each agent's own security settings decide alone.</source>
        <translation>没有规则。仅由各智能体自己的安全设置决定。</translation>
    </message>
    <message>
        <source>Commands and files that are allowed, asked for or denied. A line with several commands is allowed only when each of them is; one deny wins.</source>
        <translation>允许、询问或拒绝的命令和文件。一行含有多条命令时，只有每一条都被允许才会允许；任何一条拒绝即为拒绝。</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>whom it holds for, tool</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove this rule?</source>
        <translation>移除此规则？</translation>
    </message>
    <message>
        <source>What it allowed is asked for again.</source>
        <translation>它所允许的操作将重新询问。</translation>
    </message>
    <message>
        <source>It no longer keeps anybody from it.</source>
        <translation>它不再阻止任何人这样做。</translation>
    </message>
    <message>
        <source>Not removed: %1</source>
        <translation>未移除：%1</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
</context>
<context>
    <name>berth::ui::RunAnyway</name>
    <message>
        <source>Run anyway</source>
        <translation>仍要运行</translation>
    </message>
    <message>
        <source>Runs the command although the security settings deny it</source>
        <translation>即使安全设置拒绝，也运行该命令</translation>
    </message>
</context>
<context>
    <name>berth::ui::RunStrip</name>
    <message>
        <source>Retry now</source>
        <translation>立即重试</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message numerus="yes">
        <source>Trying again in %n second(s)</source>
        <translation>
            <numerusform>%n 秒后重试</numerusform>
        </translation>
    </message>
    <message>
        <source>Trying again now</source>
        <translation>正在重试</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>what happened, what is next</comment>
        <translation>%1 · %2</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeActions</name>
    <message>
        <source>Could not pause %1</source>
        <translation>无法暂停 %1</translation>
    </message>
    <message>
        <source>Could not resume %1</source>
        <translation>无法恢复 %1</translation>
    </message>
    <message>
        <source>Could not undo the destroy of %1</source>
        <translation>无法撤销对 %1 的销毁</translation>
    </message>
    <message>
        <source>Could not destroy %1</source>
        <translation>无法销毁 %1</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeCardDelegate</name>
    <message>
        <source>Undo destroy</source>
        <translation>撤销销毁</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>age and cost</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>No thread uses it</source>
        <translation>没有对话使用它</translation>
    </message>
    <message>
        <source>Open thread</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>更多操作</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeGrid</name>
    <message>
        <source>Runtimes</source>
        <translation>运行实例</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeModel</name>
    <message>
        <source>%1 / %2</source>
        <comment>agent / alias of a sandbox</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>not in this database</source>
        <translation>不在此数据库中</translation>
    </message>
    <message>
        <source>no thread</source>
        <translation>没有对话</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 和另外 %n 个</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 unknown: %2</source>
        <translation>%1 未知：%2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <comment>CPU 62 % of 2 cores</comment>
        <translation>%1 %2 %3</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>disk</source>
        <translation>磁盘</translation>
    </message>
</context>
<context>
    <name>berth::ui::RuntimeSheet</name>
    <message>
        <source>Runtime</source>
        <translation>运行实例</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Open thread</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Copy id</source>
        <translation>复制 ID</translation>
    </message>
    <message>
        <source>Destroy…</source>
        <translation>销毁…</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Since this window opened · sampled every second</source>
        <translation>自此窗口打开起 · 每秒采样</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 核</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>No sandbox of this database owns it, so Berth does not look into it.</source>
        <translation>此数据库中没有沙箱拥有它，因此 Berth 不查看其中内容。</translation>
    </message>
    <message>
        <source>No sandbox of this database owns it, so Berth runs nothing in it.</source>
        <translation>此数据库中没有沙箱拥有它，因此 Berth 不在其中运行任何东西。</translation>
    </message>
    <message>
        <source>Undo destroy</source>
        <translation>撤销销毁</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>No thread uses it</source>
        <translation>没有对话使用它</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Nothing sampled yet.</source>
        <translation>尚无采样。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Needs care</source>
        <translation>需要处理</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>label and config</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Image</source>
        <translation>镜像</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Id at the provider</source>
        <translation>在提供方的 ID</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Lease</source>
        <translation>租约</translation>
    </message>
    <message>
        <source>Created</source>
        <translation>创建时间</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>启动时间</translation>
    </message>
    <message>
        <source>Pauses by itself</source>
        <translation>自动暂停</translation>
    </message>
    <message>
        <source>%1, unless something works in it before</source>
        <translation>%1，除非此前其中有任务运行</translation>
    </message>
    <message>
        <source>At work</source>
        <translation>工作中</translation>
    </message>
    <message numerus="yes">
        <source>%n command(s)</source>
        <translation>
            <numerusform>%n 条命令</numerusform>
        </translation>
    </message>
    <message>
        <source>Cost</source>
        <translation>费用</translation>
    </message>
    <message>
        <source>Pause keeps</source>
        <translation>暂停后保留</translation>
    </message>
    <message>
        <source>Destroy takes</source>
        <translation>销毁将删除</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>No thread uses it.</source>
        <translation>没有对话使用它。</translation>
    </message>
    <message>
        <source>Open “%1”</source>
        <translation>打开“%1”</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxActions</name>
    <message numerus="yes">
        <source>%n thread(s) use it. They stay readable, and can go on once it is restored.</source>
        <translation>
            <numerusform>%n 个对话在使用它。它们仍可阅读，恢复后可继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>Remove and destroy %1?</source>
        <translation>移除并销毁 %1？</translation>
    </message>
    <message>
        <source>The instance at %1 and everything stored in it is removed for good.</source>
        <translation>%1 上的实例及其中存储的一切将被永久删除。</translation>
    </message>
    <message>
        <source>Remove and destroy</source>
        <translation>移除并销毁</translation>
    </message>
    <message>
        <source>Remove %1?</source>
        <translation>移除 %1？</translation>
    </message>
    <message>
        <source>It has no instance: nothing else goes.</source>
        <translation>它没有实例：不会失去其他内容。</translation>
    </message>
    <message>
        <source>Its instance is stopped and kept until you purge it. It can be restored.</source>
        <translation>其实例会停止并保留，直到您清除它。可以恢复。</translation>
    </message>
    <message>
        <source>Its instance at %1 goes on, and so does what it costs, until you also destroy it. It can be restored.</source>
        <translation>它在 %1 上的实例会继续运行并产生费用，直到您将其销毁。可以恢复。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Not removed: %1</source>
        <translation>未移除：%1</translation>
    </message>
    <message>
        <source>Purge %1?</source>
        <translation>清除 %1？</translation>
    </message>
    <message>
        <source>What is left of it at %1 is removed for good.</source>
        <translation>它在 %1 上的剩余内容将被永久删除。</translation>
    </message>
    <message>
        <source>Its threads stay readable.</source>
        <translation>其对话仍可阅读。</translation>
    </message>
    <message>
        <source>Purge</source>
        <translation>清除</translation>
    </message>
    <message>
        <source>Not purged: %1</source>
        <translation>未清除：%1</translation>
    </message>
    <message>
        <source>Not restored: %1</source>
        <translation>未恢复：%1</translation>
    </message>
    <message>
        <source>No copy was made of %1</source>
        <translation>未能复制 %1</translation>
    </message>
    <message>
        <source>No thread uses it</source>
        <translation>没有对话使用它</translation>
    </message>
    <message>
        <source>Open thread</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Open thread “%1”</source>
        <translation>打开对话“%1”</translation>
    </message>
    <message>
        <source>Show in Resources</source>
        <translation>在资源中显示</translation>
    </message>
    <message>
        <source>It has no instance.</source>
        <translation>它没有实例。</translation>
    </message>
    <message>
        <source>%1 — %2</source>
        <comment>action and why it cannot be done</comment>
        <translation>%1 — %2</translation>
    </message>
    <message>
        <source>it has no instance yet</source>
        <translation>它还没有实例</translation>
    </message>
    <message>
        <source>its provider cannot</source>
        <translation>其提供方不支持</translation>
    </message>
    <message>
        <source>Copy of this sandbox</source>
        <translation>复制此沙箱</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Remove and destroy…</source>
        <translation>移除并销毁…</translation>
    </message>
    <message>
        <source>it has no instance</source>
        <translation>它没有实例</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Purge…</source>
        <translation>清除…</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxChoiceModel</name>
    <message>
        <source>New sandbox</source>
        <translation>新沙箱</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>provider and config</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Checking…</source>
        <translation>正在检查…</translation>
    </message>
    <message>
        <source>Sandboxes of %1</source>
        <translation>%1 的沙箱</translation>
    </message>
    <message>
        <source>Not started yet</source>
        <translation>尚未启动</translation>
    </message>
    <message>
        <source>Has one thread so far; a second one shares its files</source>
        <translation>目前有一个对话；第二个对话将共用其文件</translation>
    </message>
    <message numerus="yes">
        <source>Shared by %n thread(s)</source>
        <translation>
            <numerusform>由 %n 个对话共用</numerusform>
        </translation>
    </message>
    <message>
        <source>cannot be used yet, opens its settings</source>
        <translation>尚不能使用，将打开其设置</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>state and what to do</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxModel</name>
    <message>
        <source>Still running</source>
        <translation>仍在运行</translation>
    </message>
    <message>
        <source>%1 · %2 ago</source>
        <comment>state and age</comment>
        <translation>%1 · %2前</translation>
    </message>
    <message>
        <source>pending</source>
        <translation>待创建</translation>
    </message>
    <message>
        <source>provisioned</source>
        <translation>已配置</translation>
    </message>
    <message>
        <source>deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Nothing is made at the provider until it is needed.</source>
        <translation>需要之前不会在提供方创建任何东西。</translation>
    </message>
    <message>
        <source>Its threads stay readable. It can be restored.</source>
        <translation>其对话仍可阅读。可以恢复。</translation>
    </message>
    <message>
        <source>The provider shows nothing of it.</source>
        <translation>提供方没有显示它的任何信息。</translation>
    </message>
    <message>
        <source>As %1 said %2.</source>
        <translation>%1 于%2报告。</translation>
    </message>
    <message>
        <source>There is no instance of it.</source>
        <translation>它没有实例。</translation>
    </message>
    <message>
        <source>— %1</source>
        <comment>no state, and why</comment>
        <translation>— %1</translation>
    </message>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <comment>sandbox of agent</comment>
        <translation>%2 的 %1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>heading and value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Alias</source>
        <translation>别名</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Lifecycle</source>
        <translation>生命周期</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行实例</translation>
    </message>
    <message>
        <source>External id</source>
        <translation>外部标识</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Last seen</source>
        <translation>最近可见</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxPanel</name>
    <message>
        <source>Actions</source>
        <translation>操作</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Lifecycle</source>
        <translation>生命周期</translation>
    </message>
    <message>
        <source>Runtime</source>
        <translation>运行实例</translation>
    </message>
    <message>
        <source>Provider</source>
        <translation>提供方</translation>
    </message>
    <message>
        <source>External id</source>
        <translation>外部标识</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Config</source>
        <translation>配置</translation>
    </message>
    <message>
        <source>When it starts and stops</source>
        <translation>何时启动和停止</translation>
    </message>
    <message>
        <source>%1 / %2</source>
        <comment>agent and sandbox</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, last seen %2</source>
        <translation>%1，最近可见：%2</translation>
    </message>
    <message>
        <source>%1, never seen</source>
        <translation>%1，从未可见</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxPicker</name>
    <message>
        <source>Set up…</source>
        <translation>设置…</translation>
    </message>
    <message>
        <source>Choose a sandbox</source>
        <translation>选择沙箱</translation>
    </message>
    <message>
        <source>Sandbox: %1</source>
        <translation>沙箱：%1</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxPopover</name>
    <message>
        <source>Sandbox of the new thread</source>
        <translation>新对话的沙箱</translation>
    </message>
    <message>
        <source>A thread keeps its sandbox for life.</source>
        <translation>对话与其沙箱终身绑定。</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxSection</name>
    <message>
        <source>Where agents run. Each provider is one file in</source>
        <translation>智能体在哪里运行。每个提供方是以下目录中的一个文件：</translation>
    </message>
    <message>
        <source>Directory of the provider files</source>
        <translation>提供方文件所在目录</translation>
    </message>
</context>
<context>
    <name>berth::ui::SandboxesPage</name>
    <message>
        <source>Filter sandboxes</source>
        <translation>筛选沙箱</translation>
    </message>
    <message>
        <source>Add sandbox…</source>
        <translation>添加沙箱…</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation>Ctrl+F</translation>
    </message>
    <message>
        <source>every sandbox of every agent</source>
        <translation>所有智能体的所有沙箱</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>what and why</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>The copy is %1. It is made when it is first used.</source>
        <translation>副本是 %1。首次使用时创建。</translation>
    </message>
    <message>
        <source>All agents</source>
        <translation>所有智能体</translation>
    </message>
    <message>
        <source>All types</source>
        <translation>所有类型</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>已删除</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>Removing a sandbox here keeps a cloud runtime unless you also destroy it.</source>
        <translation>在此移除沙箱会保留云端运行实例，除非您同时销毁它。</translation>
    </message>
    <message>
        <source>Destroy it…</source>
        <translation>销毁…</translation>
    </message>
    <message>
        <source>No sandbox matches</source>
        <translation>没有匹配的沙箱</translation>
    </message>
    <message>
        <source>No sandboxes yet</source>
        <translation>还没有沙箱</translation>
    </message>
    <message>
        <source>Another agent, type or word may show one.</source>
        <translation>换一个智能体、类型或词语也许能找到。</translation>
    </message>
    <message>
        <source>A new thread makes one by itself. Or add one here, from a preset or a type.</source>
        <translation>新对话会自动创建沙箱。也可以在此由预设或类型添加。</translation>
    </message>
    <message numerus="yes">
        <source>%n deleted sandbox(es) still run.</source>
        <translation>
            <numerusform>%n 个已删除的沙箱仍在运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>全部显示</translation>
    </message>
    <message>
        <source>Drop the new sandbox?</source>
        <translation>放弃新沙箱？</translation>
    </message>
    <message>
        <source>Drop what you changed?</source>
        <translation>放弃更改？</translation>
    </message>
</context>
<context>
    <name>berth::ui::SaveBar</name>
    <message>
        <source>Revert</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>已保存</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what and why</comment>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::SecretField</name>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Store a key…</source>
        <translation>存储密钥…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Keep it in the file, which only you can read</source>
        <translation>保存在只有您能读取的文件中</translation>
    </message>
    <message>
        <source>Remove the key</source>
        <translation>移除密钥</translation>
    </message>
    <message>
        <source>Show what is typed</source>
        <translation>显示输入的内容</translation>
    </message>
    <message>
        <source>Key for the key store</source>
        <translation>要存入密钥库的密钥</translation>
    </message>
    <message>
        <source>Paste the key</source>
        <translation>粘贴密钥</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Say where the key is to be kept: in the file, or store it in the key store.</source>
        <translation>请指明密钥保存在哪里：文件中，或存入密钥库。</translation>
    </message>
    <message>
        <source>Say that the key is to be kept in the file.</source>
        <translation>请确认将密钥保存在文件中。</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>The key is removed from the desktop's key store. Whoever has no other copy makes a new one at the service.</source>
        <translation>密钥将从桌面的密钥库中移除。若没有其他副本，需要在该服务处新建一个。</translation>
    </message>
    <message>
        <source>It goes to your desktop's key store, not to the file, and wins over the environment.</source>
        <translation>它将存入桌面的密钥库而不是文件，并且优先于环境变量。</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
    <message>
        <source>Saving takes the key out of the file.</source>
        <translation>保存时会将密钥从文件中删除。</translation>
    </message>
    <message>
        <source>Saving writes this reference into the file.</source>
        <translation>保存时会将此引用写入文件。</translation>
    </message>
    <message>
        <source>From the file: %1</source>
        <translation>来自文件：%1</translation>
    </message>
    <message>
        <source>From the desktop's key store: %1</source>
        <translation>来自桌面的密钥库：%1</translation>
    </message>
    <message>
        <source>From the environment: %1 %2</source>
        <comment>variable, end of the key</comment>
        <translation>来自环境变量：%1 %2</translation>
    </message>
    <message>
        <source>No key yet: store one, or type one to keep it in the file.</source>
        <translation>尚无密钥：请存储一个，或输入一个保存在文件中。</translation>
    </message>
    <message>
        <source>No key yet: type one to keep it in the file.</source>
        <translation>尚无密钥：请输入一个保存在文件中。</translation>
    </message>
    <message>
        <source>No key yet: store one, or set %1 where Berth is started.</source>
        <translation>尚无密钥：请存储一个，或在启动 Berth 的环境中设置 %1。</translation>
    </message>
    <message>
        <source>No key yet, and no desktop key store here: set %1 where Berth is started, or type one to keep it in the file.</source>
        <translation>尚无密钥，此处也没有桌面密钥库：请在启动 Berth 的环境中设置 %1，或输入一个保存在文件中。</translation>
    </message>
</context>
<context>
    <name>berth::ui::SectionList</name>
    <message>
        <source>Parts of the settings</source>
        <translation>设置的各部分</translation>
    </message>
</context>
<context>
    <name>berth::ui::SecuritySection</name>
    <message>
        <source>Parts of Security</source>
        <translation>安全设置的各部分</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>Hooks</source>
        <translation>钩子</translation>
    </message>
    <message>
        <source>Audit</source>
        <translation>审计</translation>
    </message>
</context>
<context>
    <name>berth::ui::SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Sandbox</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>System</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>System follows the desktop, also while Berth runs.</source>
        <translation>“跟随系统”随桌面变化，Berth 运行时也是如此。</translation>
    </message>
    <message>
        <source>GPL-3.0-or-later: free software, without any warranty.</source>
        <translation>GPL-3.0-or-later：自由软件，不提供任何担保。</translation>
    </message>
    <message>
        <source>Berth</source>
        <translation>Berth</translation>
    </message>
    <message>
        <source>Gives every AI agent a sandbox of its own, here or in a cloud, seen and governed from one window.</source>
        <translation>给每个 AI 智能体一个自己的沙箱，在本机或云端，在一个窗口中查看和管理。</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>版本</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Provider files</source>
        <translation>提供方文件</translation>
    </message>
    <message>
        <source>Installation</source>
        <translation>安装</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Security</source>
        <translation>安全</translation>
    </message>
    <message>
        <source>HTTP API</source>
        <translation>HTTP API</translation>
    </message>
    <message>
        <source>Presets</source>
        <translation>预设</translation>
    </message>
</context>
<context>
    <name>berth::ui::Sidebar</name>
    <message>
        <source>New thread</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Resources</source>
        <translation>资源</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Ctrl N</source>
        <translation>Ctrl N</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>对话</translation>
    </message>
    <message numerus="yes">
        <source>%n runtime(s)</source>
        <translation>
            <numerusform>%n 个运行实例</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n need(s) care</source>
        <translation>
            <numerusform>%n 个需要处理</numerusform>
        </translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Archive</source>
        <translation>归档</translation>
    </message>
    <message>
        <source>Agents</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Sandboxes</source>
        <translation>沙箱</translation>
    </message>
</context>
<context>
    <name>berth::ui::SkillRow</name>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Remove skill %1</source>
        <translation>移除技能 %1</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>选择…</translation>
    </message>
</context>
<context>
    <name>berth::ui::Spinner</name>
    <message>
        <source>Working</source>
        <translation>正在处理</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalPane</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop it</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Leave it running</source>
        <translation>让它继续运行</translation>
    </message>
    <message>
        <source>Terminal %1</source>
        <translation>终端 %1</translation>
    </message>
    <message>
        <source>Output of %1</source>
        <translation>%1 的输出</translation>
    </message>
    <message>
        <source>Not known whether it still runs</source>
        <translation>不清楚是否仍在运行</translation>
    </message>
    <message>
        <source>Its sandbox is paused or cannot be reached.</source>
        <translation>其沙箱已暂停或无法访问。</translation>
    </message>
    <message>
        <source>Resume sandbox</source>
        <translation>恢复沙箱</translation>
    </message>
    <message>
        <source>Ended with %1</source>
        <translation>已结束，%1</translation>
    </message>
    <message>
        <source>Ended: %1</source>
        <translation>已结束：%1</translation>
    </message>
    <message>
        <source>Start new</source>
        <translation>新建</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>再次运行</translation>
    </message>
    <message numerus="yes">
        <source>Paste %n line(s)? Each may run as a command.</source>
        <translation>
            <numerusform>粘贴 %n 行？每一行都可能作为命令运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>This terminal still runs</source>
        <translation>此终端仍在运行</translation>
    </message>
    <message>
        <source>This command still runs</source>
        <translation>此命令仍在运行</translation>
    </message>
    <message>
        <source>Left running, it stays in the list of background commands.</source>
        <translation>继续运行时，它会保留在后台命令列表中。</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalPanel</name>
    <message>
        <source>Resume and open</source>
        <translation>恢复并打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
    <message>
        <source>Open terminal</source>
        <translation>打开终端</translation>
    </message>
    <message>
        <source>New terminal</source>
        <translation>新终端</translation>
    </message>
    <message>
        <source>Search in the terminal (Ctrl+Shift+F)</source>
        <translation>在终端中查找（Ctrl+Shift+F）</translation>
    </message>
    <message>
        <source>Background</source>
        <translation>后台</translation>
    </message>
    <message>
        <source>Background commands</source>
        <translation>后台命令</translation>
    </message>
    <message>
        <source>Run in background…</source>
        <translation>在后台运行…</translation>
    </message>
    <message>
        <source>Command to run in the background</source>
        <translation>要在后台运行的命令</translation>
    </message>
    <message>
        <source>Nothing runs in the background. What is started here goes on when Berth is closed, where the sandbox keeps its processes.</source>
        <translation>没有后台命令。在能保留进程的沙箱中，这里启动的命令在 Berth 关闭后继续运行。</translation>
    </message>
    <message>
        <source>%1 × %2</source>
        <comment>columns and rows</comment>
        <translation>%1 × %2</translation>
    </message>
    <message>
        <source>Background %1</source>
        <translation>后台 %1</translation>
    </message>
    <message>
        <source>Opening a terminal…</source>
        <translation>正在打开终端…</translation>
    </message>
    <message>
        <source>Making %1 ready for a terminal…</source>
        <translation>正在为终端准备 %1…</translation>
    </message>
    <message>
        <source>No terminal is open</source>
        <translation>没有打开的终端</translation>
    </message>
    <message>
        <source>A shell in %1. It goes on while this window is closed, where the sandbox keeps its processes.</source>
        <translation>%1 中的 shell。在能保留进程的沙箱中，此窗口关闭后它继续运行。</translation>
    </message>
    <message>
        <source>%1 does not run</source>
        <translation>%1 没有运行</translation>
    </message>
    <message>
        <source>Opening a terminal resumes it.</source>
        <translation>打开终端会恢复它。</translation>
    </message>
    <message>
        <source>%1 has not been started</source>
        <translation>%1 尚未启动</translation>
    </message>
    <message>
        <source>Opening a terminal starts it.</source>
        <translation>打开终端会启动它。</translation>
    </message>
    <message>
        <source>Start and open</source>
        <translation>启动并打开</translation>
    </message>
    <message>
        <source>No terminal here</source>
        <translation>这里没有终端</translation>
    </message>
    <message>
        <source>Could not open a terminal</source>
        <translation>无法打开终端</translation>
    </message>
    <message>
        <source>A new terminal resumes it.</source>
        <translation>新终端会恢复它。</translation>
    </message>
    <message>
        <source>Could not run it in the background</source>
        <translation>无法在后台运行</translation>
    </message>
    <message>
        <source>Could not run it again</source>
        <translation>无法再次运行</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>what and why</comment>
        <translation>%1。%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalSearch</name>
    <message>
        <source>Previous match (Return)</source>
        <translation>上一个匹配（回车）</translation>
    </message>
    <message>
        <source>Next match (Shift+Return)</source>
        <translation>下一个匹配（Shift+回车）</translation>
    </message>
    <message>
        <source>Search in this terminal</source>
        <translation>在此终端中查找</translation>
    </message>
    <message>
        <source>Clear the text</source>
        <translation>清除文字</translation>
    </message>
    <message>
        <source>Close the search (Esc)</source>
        <translation>关闭查找（Esc）</translation>
    </message>
    <message>
        <source>Not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalSession</name>
    <message>
        <source>[%1 of output passed over]</source>
        <translation>[略过了 %1 的输出]</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalSessions</name>
    <message>
        <source>Could not stop it</source>
        <translation>无法停止</translation>
    </message>
    <message>
        <source>Could not remove it</source>
        <translation>无法移除</translation>
    </message>
    <message>
        <source>Could not resume the sandbox</source>
        <translation>无法恢复沙箱</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalTabs</name>
    <message>
        <source>Terminals</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>berth::ui::TerminalView</name>
    <message>
        <source>Terminal</source>
        <translation>终端</translation>
    </message>
    <message>
        <source>Ctrl+Tab leaves the terminal, Ctrl+Shift+F searches in it.</source>
        <translation>Ctrl+Tab 离开终端，Ctrl+Shift+F 在其中查找。</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Paste</source>
        <translation>粘贴</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Search…</source>
        <translation>查找…</translation>
    </message>
</context>
<context>
    <name>berth::ui::TestSteps</name>
    <message>
        <source>ok</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>已跳过</translation>
    </message>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1：%2，%3</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>Testing · %1 s</source>
        <translation>正在测试 · %1 秒</translation>
    </message>
</context>
<context>
    <name>berth::ui::ThreadListModel</name>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>昨天</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>%1, %2, working</source>
        <translation>%1，%2，正在处理</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2, waits for you</source>
        <translation>%1，%2，等待您处理</translation>
    </message>
</context>
<context>
    <name>berth::ui::ThreadRuns</name>
    <message>
        <source>The agent was interrupted</source>
        <translation>智能体已被中断</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>The agent could not go on</source>
        <translation>智能体无法继续</translation>
    </message>
    <message>
        <source>The agent has paused</source>
        <translation>智能体已暂停</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个 token</translation>
    </message>
    <message>
        <source>Read by the model: %1</source>
        <translation>模型读取：%1</translation>
    </message>
    <message>
        <source>Written by the model: %1</source>
        <translation>模型写出：%1</translation>
    </message>
    <message>
        <source>Of what was read, cached: %1</source>
        <translation>读取中来自缓存：%1</translation>
    </message>
    <message>
        <source>Of what was written, thought: %1</source>
        <translation>写出中用于思考：%1</translation>
    </message>
    <message>
        <source>In its context now: %1 of %2</source>
        <translation>当前上下文：%1 / %2</translation>
    </message>
    <message>
        <source>In its context now: %1</source>
        <translation>当前上下文：%1</translation>
    </message>
    <message>
        <source>Cost: %1</source>
        <translation>费用：%1</translation>
    </message>
    <message>
        <source>Cost: — (no prices are set for this model)</source>
        <translation>费用：—（此模型未设置价格）</translation>
    </message>
</context>
<context>
    <name>berth::ui::ThreadSearch</name>
    <message>
        <source>Find in this thread</source>
        <translation>在此对话中查找</translation>
    </message>
</context>
<context>
    <name>berth::ui::TimeChart</name>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <comment>time and value under the crosshair</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>now %1, lowest %2, highest %3</source>
        <translation>当前 %1，最低 %2，最高 %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>berth::ui::TokenForm</name>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>What it is for, so that it can be found again.</source>
        <translation>用途，以便日后辨认。</translation>
    </message>
    <message>
        <source>Up to 64 characters.</source>
        <translation>最多 64 个字符。</translation>
    </message>
    <message>
        <source>Agent</source>
        <translation>智能体</translation>
    </message>
    <message>
        <source>Every agent</source>
        <translation>所有智能体</translation>
    </message>
    <message>
        <source>Speaks for</source>
        <translation>代表</translation>
    </message>
    <message>
        <source>A user whom an agent's security settings name. Empty: you.</source>
        <translation>智能体安全设置中列出的用户。留空：您自己。</translation>
    </message>
    <message>
        <source>New token</source>
        <translation>新建令牌</translation>
    </message>
    <message>
        <source>May</source>
        <translation>可以</translation>
    </message>
    <message>
        <source>Read: see threads, runs and resources</source>
        <translation>读取：查看对话、运行和资源</translation>
    </message>
    <message>
        <source>Run: send messages, start and stop sandboxes</source>
        <translation>运行：发送消息，启动和停止沙箱</translation>
    </message>
    <message>
        <source>Approve: answer what waits for you</source>
        <translation>批准：答复等待您决定的操作</translation>
    </message>
    <message>
        <source>Administer: agents, providers, tokens</source>
        <translation>管理：智能体、提供方、令牌</translation>
    </message>
    <message>
        <source>Create token</source>
        <translation>创建令牌</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Not granted above.</source>
        <translation>上方尚未授予。</translation>
    </message>
    <message>
        <source>What is greyed has to be granted above first.</source>
        <translation>灰色的权限需先在上方授予。</translation>
    </message>
    <message>
        <source>Not created: %1</source>
        <translation>未创建：%1</translation>
    </message>
</context>
<context>
    <name>berth::ui::TransferStrip</name>
    <message>
        <source>Transfers</source>
        <translation>传输</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Keep both</source>
        <translation>两者都保留</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭提示</translation>
    </message>
</context>
<context>
    <name>berth::ui::TrustQuestion</name>
    <message>
        <source>The key would be sent to %1.</source>
        <translation>密钥将被发送到 %1。</translation>
    </message>
    <message>
        <source>The file reads from the environment: %1.</source>
        <translation>该文件会读取环境变量：%1。</translation>
    </message>
    <message>
        <source>Nothing is sent before you confirm. Confirm only what you know.</source>
        <translation>在您确认之前不会发送任何内容。只确认您认识的地址和变量。</translation>
    </message>
    <message>
        <source>May this provider read these variables?</source>
        <translation>允许此提供方读取这些变量吗？</translation>
    </message>
    <message>
        <source>May the key go there?</source>
        <translation>允许把密钥发送到那里吗？</translation>
    </message>
    <message>
        <source>Let it read them</source>
        <translation>允许读取</translation>
    </message>
    <message>
        <source>Send the key there</source>
        <translation>发送密钥</translation>
    </message>
    <message>
        <source>Let it read %1</source>
        <translation>允许读取 %1</translation>
    </message>
    <message>
        <source>Send the key to %1</source>
        <translation>将密钥发送到 %1</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Gives every AI agent a sandbox to work in.</source>
        <translation>给每个 AI 智能体一个工作的沙箱。</translation>
    </message>
    <message>
        <source>Keep all data in this directory.</source>
        <translation>把所有数据保存在此目录。</translation>
    </message>
</context>
</TS>
