#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every header that another library includes is in HEADERS, so that the build proves that it compiles on its own.

Usage: check_headers.py [root]. Prints one line for each finding, and exits with 1 when there is any.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("src", "ui", "providers")


def library_of(path, root):
    """The CMakeLists.txt that makes the library of this file, and its text; None for the files of a main or of C."""
    for parent in path.parents:
        cmake = parent / "CMakeLists.txt"
        text = re.sub(r"#[^\n]*", "", cmake.read_text()) if cmake.is_file() else ""
        if "berth_library" in text:
            return cmake, text
        if parent == root:
            return None, ""


def findings(root):
    files = [f for folder in FOLDERS for f in sorted((root / folder).rglob("*")) if f.suffix in (".h", ".cpp")]
    owners = {f: library_of(f, root) for f in files}
    for header in files:
        cmake, text = owners[header]
        if header.suffix != ".h" or not cmake:
            continue
        name = header.relative_to(cmake.parent).as_posix()
        globbed = re.search(r"GLOB [^)]*\*\.h\b", text)
        if globbed or re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w/.])", text):
            continue
        spelled = header.relative_to(root).as_posix()
        include = re.compile(rf'^#include "(?:{re.escape(spelled)}|{re.escape(spelled.removeprefix("src/"))})"', re.M)
        for user in files:
            if owners[user][0] != cmake and include.search(user.read_text(errors="replace")):
                yield f"{spelled} is in no HEADERS list of {cmake.relative_to(root)}, but {user.relative_to(root)} includes it"
                break


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    found = list(findings(root))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
