#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the compiler and the linker do not see: who may include whom, and words that must not come back.

Usage: check_layers.py [root]. Prints one line for each finding, and exits with 1 when there is any.
"""

import re
import subprocess
import sys
from pathlib import Path

# Folder -> folders that its files may include from, besides itself. The longest matching folder counts.
LAYERS = {
    "src/async": [],
    "src/domain": ["src/async"],
    "src/application": ["src/domain", "src/async"],
    # The runner's protocol header is plain numbers, shared by both ends.
    "src/net": ["src/guest", "src/domain", "src/async"],
    "src/models": ["src/net", "src/domain", "src/async"],
    "src/storage": ["src/domain", "src/async"],
    "src/remote": ["src/application", "src/domain", "src/async"],
    "src/api": ["src/application", "src/domain", "src/async"],
    "src/cli": ["src/application", "src/domain", "src/async"],
    "src/guest": [],
    "src/bootstrap": ["src", "ui", "providers"],
    "ui": ["src/application", "src/domain", "src/async"],
    "providers/local": ["src/net", "src/guest", "src/domain", "src/async"],
    "providers/docker": ["src/net", "src/guest", "src/domain", "src/async"],
    "providers/e2b": ["src/net", "src/guest", "src/domain", "src/async"],
    "providers/daytona": ["src/net", "src/guest", "src/domain", "src/async"],
    "providers/agentbay": ["src/net", "src/guest", "src/domain", "src/async"],
    "providers/tenki": ["src/net", "src/guest", "src/domain", "src/async"],
    "providers/registry": ["providers", "src/net", "src/domain", "src/async"],
}

# Folder -> Qt modules beyond QtCore that it may include and link.
QT_MODULES = {
    "src/net": {"QtNetwork"},
    "src/storage": {"QtSql"},
    "src/remote": {"QtNetwork"},
    "src/bootstrap": {"QtGui", "QtWidgets", "QtNetwork"},
    "ui": {"QtGui", "QtWidgets", "QtCharts", "QtSvg", "QtDBus"},
    "providers": {"QtNetwork"},
    "providers/daytona": {"QtNetwork", "QtWebSockets"},
}

# Files over the cap, each with the reason why it stays whole.
LINE_CAP = 600
LONG_FILES: dict[str, str] = {
    "src/domain/policy/shell_grammar.cpp": "one recursive grammar, each rule calls the others; words and heads are apart already",
    "tests/api/test_who.cpp": "one table: every route, and who may use it",
    "tests/application/test_codec.cpp": "a line for each type of the contract, under checks that are templates over them",
    "tests/widget/test_agent_talk.cpp": "one window and one scripted agent for all of its functions; a widget test's unit costs seconds",
}

# (path, rule) -> reason. An exception that no longer applies is a finding too.
EXCEPTIONS: dict[tuple[str, str], str] = {
    ("src/application/skills/skill_service.h", "thread"): "folders of the user are read beside the Engine, which a slow disk must not hold up",
    ("ui/conversation/picture_shelf.h", "thread"): "a picture from a sandbox is decoded beside the window, which never waits for it",
}

CODE_FOLDERS = ("src/", "ui/", "providers/")
SOURCE_SUFFIXES = {".cpp", ".h", ".c"}
SPDX_SUFFIXES = SOURCE_SUFFIXES | {".cmake", ".py", ".sh"}
SPDX_NAMES = {"CMakeLists.txt", "dev", "run"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)


def owner(path, table):
    """The longest key of table that is path or one of its folders; None without one."""
    hits = [k for k in table if path == k or path.startswith(k + "/")]
    return max(hits, key=len) if hits else None


def blank(match):
    """Spaces in place of a match, so that offsets and line numbers stay."""
    return re.sub(r"[^\n]", " ", match.group(0))


TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\s\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'",
    re.S,
)


def without_comments(text):
    return TOKENS.sub(lambda m: blank(m) if m.group(0).startswith("/") else m.group(0), text)


def bare_code(text):
    """The code without comments and without what stands between quotes."""
    return TOKENS.sub(blank, text)


def line_of(text, offset):
    return text.count("\n", 0, offset) + 1


# --- rules ----------------------------------------------------------------------------------------
# Each takes (path, raw text, tree) and yields (rule, line, message).


class Tree:
    def __init__(self, root):
        self.root = root
        self.qt_headers = qt_headers()

    def files(self):
        if (self.root / ".git").exists():
            listed = subprocess.run(
                ["git", "-C", str(self.root), "ls-files", "-co", "--exclude-standard", "-z"],
                check=True, capture_output=True, text=True).stdout.split("\0")
        else:
            listed = [str(p.relative_to(self.root)) for p in self.root.rglob("*")]
        for name in sorted(set(listed)):
            if name and not name.startswith(("build/", "tests/data/")) and (self.root / name).is_file():
                yield name


def qt_headers():
    """Class header -> module, for includes that do not name their module."""
    found = {}
    for base in [Path("/usr/include/qt6"), *Path("/usr/include").glob("*/qt6")]:
        for module in ("QtCore", "QtGui", "QtWidgets", "QtNetwork", "QtSql", "QtCharts", "QtSvg", "QtDBus", "QtTest",
                       "QtWebSockets"):
            if (base / module).is_dir():
                for header in (base / module).iterdir():
                    found.setdefault(header.name, module)
    return found


def resolve(path, quote, name, tree):
    """The repository path that an include means; None for headers of others."""
    if quote == '"':
        here = (Path(path).parent / name).as_posix()
        if (tree.root / here).is_file():
            return Path(here).as_posix()
    for base in ("", "src/"):
        if owner(base + name, LAYERS):
            return base + name
    return "tests/" + name if (tree.root / "tests" / name).is_file() else None


def check_includes(path, text, tree):
    code = without_comments(text)
    me = owner(path, LAYERS)
    header = path.endswith(".h")
    in_tests = path.startswith("tests/")
    for match in INCLUDE.finditer(code):
        quote, name = match.groups()
        line = line_of(code, match.start())
        if "/../" in f"/{name}":
            yield "dotdot", line, f"{name}: name the file from its root"
            continue
        if header and (name.endswith("nlohmann/json.hpp") or name == "json.hpp"):
            yield "heavy-header", line, f"{name} in a header: use nlohmann/json_fwd.hpp"
        if header and name.startswith("spdlog/"):
            yield "heavy-header", line, f"{name} in a header: use domain/log.h"
        module = re.match(r"(Qt[A-Z]\w+)(?:/(\w+))?$", name)
        if module and module.group(2) in (None, module.group(1)):
            yield "whole-module", line, f"<{name}> is a whole module: include the single classes"
            continue
        if in_tests or not me:
            continue
        qt = module.group(1) if module else tree.qt_headers.get(name) if quote == "<" else None
        if qt and qt != "QtCore" and qt not in QT_MODULES.get(owner(path, QT_MODULES), set()):
            yield "qt-module", line, f"{me} may not use {qt} ({name})"
        target = resolve(path, quote, name, tree)
        if target and not any(target.startswith(a + "/") for a in [me, *LAYERS[me]]):
            yield "layer", line, f"{me} may not include {target}"


LINKED = re.compile(r"\bQt6?::(\w+)")


def check_links(path, text, tree):
    """A folder's CMakeLists.txt links no Qt module that its sources may not include."""
    code = re.sub(r"#[^\n]*", blank, text)
    me = owner(path, LAYERS)
    if not me:
        return
    for match in LINKED.finditer(code):
        module = "Qt" + match.group(1)
        if module not in {"QtCore"} | QT_MODULES.get(owner(path, QT_MODULES), set()):
            yield "qt-module", line_of(code, match.start()), f"{me} may not link Qt6::{match.group(1)}"


# rule, pattern over the bare code, message, folders, folders that are free of it
WORDS = [
    ("event-loop", r"\bQEventLoop\b|\bprocessEvents\b", "a nested event loop", CODE_FOLDERS, ()),
    ("string-connect", r"\b(?:SIGNAL|SLOT)\s*\(", "connect() by pointers to members", CODE_FOLDERS, ()),
    ("style-sheet", r"\bsetStyleSheet\b", "colours and metrics come from ui/style", CODE_FOLDERS, ()),
    # Elsewhere exec() is a query's or a command's.
    ("exec", r"(?:\.|->)\s*exec\s*\(|\bQ(?:Message|File|Input|Color)\w*Dialog::get|\bQMessageBox::(?:information|question|warning|critical|about)\b",
     "a dialog or menu that waits: open() or popup(), and a signal", ("ui/",), ()),
    ("qjson", r"\bQJson\w+", "JSON is nlohmann::json everywhere", CODE_FOLDERS, ()),
    ("mutex", r"\bQ(?:Recursive)?Mutex\b|\bQReadWriteLock\b|\bQSemaphore\b|\bstd::(?:recursive_|shared_|timed_)?mutex\b|\bstd::condition_variable\b",
     "values cross threads by queued calls, not under a lock", CODE_FOLDERS, ()),
    ("thread", r"\bstd::j?thread\b(?!::)|\bstd::async\b|\bQtConcurrent\b|\bQThreadPool\b|\bQThread::create\b",
     "no thread besides the window's, the Engine's and the database's", CODE_FOLDERS, ()),
    ("blocking-wait", r"\bwaitFor(?:Started|Finished|ReadyRead|BytesWritten|Connected|Disconnected|NewConnection|Encrypted)\s*\(|\bQThread::m?u?sleep\b|\bstd::this_thread::sleep_",
     "a wait that blocks its thread", CODE_FOLDERS, ()),
    ("singleton", r"\bstatic\s+\w[\w:<>]*\s*[&*]\s*(?:instance|self|get[Ii]nstance)\s*\(", "no singletons: the composition root passes what is needed", CODE_FOLDERS, ()),
    ("widget-coroutine", r"\bco_(?:await|return|yield)\b", "no coroutine in ui: send a command and use deliver()", ("ui/",), ()),
    ("vague-name", r"\b(?:class|struct)\s+\w*(?:Manager|Helper|Helpers|Utils|Util|Handler|Info)\b(?!\s*;)", "a name that says nothing: *Store, *Client, *Service, *Model, *Page …",
     CODE_FOLDERS, ()),
    ("automoc", r"\{[ \t]*Q_(?:OBJECT|GADGET)\b", "AUTOMOC does not see Q_OBJECT on the line of the class", CODE_FOLDERS + ("tests/",), ()),
]
WORDS = [(rule, re.compile(pattern), *rest) for rule, pattern, *rest in WORDS]

NAMED_COLOURS = "white black red green blue cyan magenta yellow gray darkRed darkGreen darkBlue darkCyan darkMagenta darkYellow darkGray lightGray".split()
COLOURS = re.compile(
    r'"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})"|\bQColor(?:\s+\w+)?\s*[({]\s*(?:\d|0x)|\bqRgba?\s*\(\s*(?:\d|0x)|\bfromRgb\w*\s*\(\s*(?:\d|0x)'
    r"|\bQt::(?:" + "|".join(NAMED_COLOURS) + r")\b")
UNFINISHED = re.compile(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def check_words(path, text, tree):
    code = bare_code(text)
    for rule, pattern, message, folders, free in WORDS:
        if path.startswith(folders) and not path.startswith(free or ("\0",)):
            for match in pattern.finditer(code):
                yield rule, line_of(code, match.start()), f"{match.group(0).strip()}: {message}"
    if path.startswith("ui/") and not path.startswith("ui/style/"):
        for match in COLOURS.finditer(without_comments(text)):
            yield "colour", line_of(text, match.start()), f"{match.group(0)}: colours are tokens of ui/style"
    for match in UNFINISHED.finditer(text):
        yield "unfinished", line_of(text, match.start()), f"{match.group(0)}: finish it or file it"


LAMBDA = re.compile(r"\[([^\[\]]*)\](?=\s*(?:\(|\{|<|mutable\b|->))")
CORO = re.compile(r"\bco_(?:await|return|yield)\b")


def matching(code, start, opening, closing):
    depth = 0
    for i in range(start, len(code)):
        if code[i] == opening:
            depth += 1
        elif code[i] == closing:
            depth -= 1
            if depth == 0:
                return i
    return -1


def lambdas(code):
    """(offset, captures, body start, body end) of what looks like a lambda."""
    for match in LAMBDA.finditer(code):
        before = code[: match.start()].rstrip()[-1:]
        if before and (before.isalnum() or before in "_)]\"["):  # a subscript or an attribute
            if not re.search(r"\b(?:return|co_return|co_await|co_yield)$", code[: match.start()].rstrip()):
                continue
        i = match.end()
        while i < len(code) and code[i].isspace():
            i += 1
        if code[i : i + 1] == "(":
            i = matching(code, i, "(", ")") + 1
            if i == 0:
                continue
        brace = code.find("{", i)
        if brace < 0 or ";" in code[i:brace]:
            continue
        end = matching(code, brace, "{", "}")
        if end > 0:
            yield match.start(), match.group(1).strip(), brace, end


def check_coroutines(path, text, tree):
    if "co_" not in text:
        return
    code = bare_code(text)
    found = list(lambdas(code))
    for start, captures, brace, end in found:
        body = code[brace:end]
        for _, _, inner_brace, inner_end in found:  # what a lambda inside awaits is its own affair
            if brace < inner_brace and inner_end < end:
                a, b = inner_brace - brace, inner_end - brace
                body = body[:a] + " " * (b - a) + body[b:]
        if captures and CORO.search(body):
            yield "capturing-coroutine", line_of(code, start), (
                f"[{captures}]: a capturing lambda that is a coroutine outlives its captures; name the function, pass by value")
    offset = 0
    for statement in re.split(r"(?<=;)|(?<=\{)(?=[ \t]*\n)|(?<=\})(?=[ \t]*\n)", code):
        if len(re.findall(r"\bco_await\b", statement)) > 1:
            first = offset + statement.index("co_await")
            yield "two-awaits", line_of(code, first), "two co_await in one statement: GCC 12 miscompiles some; use named locals"
        if re.search(r"\bco_await\b.*\[[^\[\]]+\]\s*(?:\(|\{|mutable\b)", statement, re.S):
            first = offset + statement.index("co_await")
            yield "lambda-in-await", line_of(code, first), (
                "a capturing lambda inside a co_await expression: GCC 12 destroys its captures twice; name it before")
        offset += len(statement)


def check_shape(path, text, tree):
    name = Path(path).name
    lines = text.count("\n")
    if lines > LINE_CAP and path not in LONG_FILES:
        yield "length", lines, f"{lines} lines; over {LINE_CAP} needs a reason in LONG_FILES of check_layers.py"
    if not re.fullmatch(r"[a-z0-9_]+\.(?:cpp|h|c)", name):
        yield "file-name", 1, "file names are lower_snake"
    guarded = path.startswith("src/guest/") and re.search(r"^#ifndef \w+_H$", text, re.M)  # standard C
    if path.endswith(".h") and not guarded and not re.search(r"^#pragma once$", text, re.M):
        yield "pragma-once", 1, "no #pragma once"


SPDX = re.compile(r"SPDX-FileCopyrightText: 2026 Berth contributors[^\n]*\n[^\n]*SPDX-License-Identifier: GPL-3\.0-or-later")


def check_spdx(path, text, tree):
    if not SPDX.search("\n".join(text.split("\n")[:6])):
        yield "spdx", 1, "the two SPDX lines are missing at the top"


def findings(root):
    tree = Tree(Path(root))
    used = set()
    names = list(tree.files())
    for path in names:
        suffix, name = Path(path).suffix, Path(path).name
        checks = []
        if suffix in SPDX_SUFFIXES or name in SPDX_NAMES:
            checks.append(check_spdx)
        if suffix in SOURCE_SUFFIXES:
            checks += [check_includes, check_words, check_coroutines, check_shape]
        if name == "CMakeLists.txt":
            checks.append(check_links)
        if not checks:
            continue
        text = (tree.root / path).read_text(encoding="utf-8", errors="replace")
        for check in checks:
            for rule, line, message in check(path, text, tree):
                if (path, rule) in EXCEPTIONS:
                    used.add((path, rule))
                else:
                    yield path, line, rule, message
    for key, reason in EXCEPTIONS.items():
        if key not in used:
            yield key[0], 1, "stale-exception", f"{key[1]} is no longer needed here ({reason})"
    for path in LONG_FILES:
        if path not in names or (tree.root / path).read_text(errors="replace").count("\n") <= LINE_CAP:
            yield path, 1, "stale-exception", "no longer over the cap"


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    count = 0
    for path, line, rule, message in findings(root):
        count += 1
        print(f"{path}:{line}: {rule}: {message}")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
