#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The package lists are in order, and ./dev reads them as it should.

Prints one line for each finding, and exits with 1 when there is any.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECTIONS = ["build", "test", "lint", "tidy"]
# What one distribution needs and another has not, or has within another package.
DIFFERENT = {"libqt6opengl6-dev", "qt6-svg-plugins", "clang-tidy-18", "clang-tidy-19"}
SYSTEMS = [  # os-release, list that must be read; None where there is none
    ("ID=debian\nVERSION_ID=12", "debian-12"),
    ("ID=debian\nVERSION_ID=\"13\"", "debian-13"),
    ("ID=ubuntu\nVERSION_ID=24.04\nID_LIKE=debian", "ubuntu-24.04"),
    ("ID=linuxmint\nVERSION_ID=22\nID_LIKE=\"ubuntu debian\"", "ubuntu-24.04"),
    ("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux forky/sid\"", "debian-13"),
    ("ID=fedora\nVERSION_ID=41", None),
]


def read(path):
    """section -> packages; order and comments as in the file"""
    found, section = {}, None
    for line in path.read_text().split("\n"):
        if match := re.fullmatch(r"\[(\w+)\]", line):
            section = found.setdefault(match.group(1), [])
        elif line and not line.startswith("#"):
            if section is None or not re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", line):
                raise ValueError(f"{path.name}: what is {line!r}?")
            section.append(line)
    return found


def asked(os_release, *sections):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(os_release + "\n")
        file.flush()
        return subprocess.run([ROOT / "dev", "packages", *sections], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, "BERTH_OS_RELEASE": file.name})


def findings():
    lists = {path.stem: read(path) for path in sorted((ROOT / "packaging/deps").glob("*.txt"))}
    for name, sections in lists.items():
        if list(sections) != SECTIONS:
            yield f"{name}: sections are {list(sections)}, not {SECTIONS}"
        everything = [p for packages in sections.values() for p in packages]
        for package in sorted({p for p in everything if everything.count(p) > 1}):
            yield f"{name}: {package} stands there twice"
        for section, packages in sections.items():
            if packages != sorted(packages):
                yield f"{name}: [{section}] is not sorted; it should be {' '.join(sorted(packages))}"
            for other, theirs in lists.items():
                for package in sorted(set(packages) - set(theirs.get(section, [])) - DIFFERENT):
                    yield f"{other}: [{section}] lacks {package}, which {name} has"
    for os_release, name in SYSTEMS:
        answer = asked(os_release)
        wanted = [p for s in SECTIONS for p in lists[name][s]] if name else []
        if answer.stdout.split() != wanted or (answer.returncode == 0) != bool(name):
            yield f"./dev packages on {os_release.split()[0]} answers {answer.stdout.split()} ({answer.returncode}), not {name}"
    if asked(SYSTEMS[0][0], "test").stdout.split() != lists["debian-12"]["test"]:
        yield "./dev packages test does not print the section [test] alone"


def main():
    found = list(findings())
    print(*found, sep="\n", end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
