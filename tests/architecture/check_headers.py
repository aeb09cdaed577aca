#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every header of a library is in its HEADERS list, so that the build proves that it compiles on its own.

Usage: check_headers.py [root]. Prints one line for each finding, and exits with 1 when there is any.
"""

import re
import sys
from pathlib import Path

FOLDERS = ("src", "ui", "providers")


def findings(root):
    for folder in FOLDERS:
        for header in sorted((root / folder).rglob("*.h")):
            for parent in header.parents:
                cmake = parent / "CMakeLists.txt"
                text = re.sub(r"#[^\n]*", "", cmake.read_text()) if cmake.is_file() else ""
                if "berth_library" in text or parent == root:
                    break
            # A header beside a main, or of the C runner, belongs to no library.
            if "berth_library" not in text:
                continue
            name = header.relative_to(parent).as_posix()
            if not re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w/.])", text):
                yield f"{header.relative_to(root)} is in no HEADERS list of {cmake.relative_to(root)}"


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    found = list(findings(root))
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
