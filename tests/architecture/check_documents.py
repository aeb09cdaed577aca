#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The documents name only what exists: paths, links, commands of ./dev, and in tests/CASES.md tests.

Usage: check_documents.py [root]. Prints one line for each finding, and exits with 1 when there is any.
"""

import re
import sys
from pathlib import Path

DOCUMENTS = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md")
TOP = ("src", "ui", "providers", "resources", "translations", "tests", "packaging", "cmake", "docs", ".ci")
FILES = ("dev", "LICENSE", "CMakeLists.txt", "CMakePresets.json", ".clang-format", ".clang-tidy")


def expand(text):
    """a/{b,c}/d -> a/b/d, a/c/d"""
    match = re.search(r"\{([^{}]*)\}", text)
    if not match:
        return [text]
    return [r for part in match.group(1).split(",") for r in expand(text[: match.start()] + part.strip() + text[match.end() :])]


def looks_like_path(word):
    return word in FILES or word.split("/")[0] in TOP and "/" in word


def door_commands(script):
    listed = re.search(r"^(\w+(?: \| \w+)+)\) \"cmd_", script, re.M)
    return {*listed.group(1).split(" | "), "help", "packages"}


def findings(root):
    commands = door_commands((root / "dev").read_text())
    for name in DOCUMENTS:
        path = root / name
        if not path.is_file():
            yield name, 1, "is missing"
            continue
        for number, line in enumerate(path.read_text().split("\n"), 1):
            for command in re.findall(r"\./dev ([a-z|]+)", line):
                for each in command.split("|"):
                    if each not in commands:
                        yield name, number, f"./dev has no command {each}"
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
                if not re.match(r"[a-z]+:", target) and not (root / target).exists():
                    yield name, number, f"link to {target}, which does not exist"
            for quoted in re.findall(r"`([^`]+)`", line):
                for word in expand(quoted) if " " not in quoted.split("{")[0] else []:
                    if looks_like_path(word) and "*" not in word and "<" not in word and not (root / word).exists():
                        yield name, number, f"{word} does not exist"


def cases(root):
    """Rows "| number | trial | `file` test, test; `file` test | against what, and why |"."""
    name = "tests/CASES.md"
    path = root / name
    if not path.is_file():
        yield name, 1, "is missing"
        return
    for number, line in enumerate(path.read_text().split("\n"), 1):
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|") or not cells[0].isdigit():
            continue
        if len(cells) != 4 or not all(cells):
            yield name, number, "is no row of case, trial, tests and what stands against them"
            continue
        for part in cells[2].split(";"):
            match = re.fullmatch(r"`([^`]+)` (\w+(?:, \w+)*)", part.strip())
            if not match:
                yield name, number, f'"{part.strip()}" names no file with its tests'
                continue
            source = root / match.group(1)
            text = source.read_text() if source.is_file() else ""
            for test in match.group(2).split(", "):
                if not re.search(rf"\b(?:void|def) (?:\w+::)?{test}\(", text):
                    yield name, number, f"{match.group(1)} has no test {test}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    found = [*findings(root), *cases(root)]
    for name, line, message in found:
        print(f"{name}:{line}: {message}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
