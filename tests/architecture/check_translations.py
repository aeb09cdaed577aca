#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each translation is complete, up to date with the sources, and keeps the placeholders.

Usage: check_translations.py [root]. Prints one line for each finding, and exits with 1 when there is any.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

# Where text for the user is written.
SOURCES = ("ui", "src/cli", "src/bootstrap")
PLACEHOLDER = re.compile(r"%(?:L?\d{1,2}|n)")


def messages(path):
    for context in ElementTree.parse(path).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is None:
                raise ValueError(f"{path.name}: a message without translation element")
            forms = [f.text or "" for f in translation.iter("numerusform")] or ["".join(translation.itertext())]
            yield (context.findtext("name"), message.findtext("source") or "", message.findtext("comment") or "",
                   translation.get("type", ""), message.get("numerus") == "yes", forms)


def check(path, plurals_only):
    """plurals_only: the language of the sources, whose file has nothing but plural forms."""
    for context, source, _, state, numerus, forms in messages(path):
        where = f"{path.name}: {context}: {source[:60]!r}"
        if state in ("vanished", "obsolete"):
            yield f"{where} is no longer in the sources"
            continue
        if plurals_only and not numerus:
            continue
        if state == "unfinished" or not all(forms):
            yield f"{where} is not translated"
            continue
        for form in forms:
            expected, given = set(PLACEHOLDER.findall(source)), set(PLACEHOLDER.findall(form))
            if given - expected or (expected - given) - ({"%n"} if numerus else set()):
                yield f"{where} has placeholders {sorted(expected)}, its translation {sorted(given)}"
            if (source[:1].isspace(), source[-1:].isspace()) != (form[:1].isspace(), form[-1:].isspace()):
                yield f"{where} differs in the space around it"


def lupdate():
    for candidate in ("/usr/lib/qt6/bin/lupdate", shutil.which("lupdate6"), shutil.which("lupdate")):
        if candidate and Path(candidate).exists():
            return candidate
    return None


def check_fresh(root, files):
    """Text in the sources that a translation has never seen."""
    tool = lupdate()
    sources = [str(root / s) for s in SOURCES if (root / s).is_dir()]
    if not tool or not sources:
        return
    with tempfile.TemporaryDirectory() as temporary:
        copies = []
        for file in files:
            copies.append(Path(temporary, file.name))
            shutil.copy(file, copies[-1])
        # With the include roots the contexts carry their namespaces, as they do when the program runs.
        roots = ["-I", str(root), "-I", str(root / "src")]
        for copy in copies:
            kind = ["-pluralonly"] if copy.stem.endswith("_en") else []
            answer = subprocess.run([tool, "-silent", *kind, *roots, *sources, "-ts", str(copy)],
                                    capture_output=True, text=True)
            if answer.returncode:
                yield f"lupdate failed: {answer.stderr.strip()[:300]}"
                return
        for file, copy in zip(files, copies):
            known = {m[:3] for m in messages(file)}
            for key in [m[:3] for m in messages(copy) if m[3] not in ("vanished", "obsolete")]:
                if key not in known:
                    yield f"{file.name}: {key[0]}: {key[1][:60]!r} is new in the sources"


def findings(root):
    files = sorted((root / "translations").glob("*.ts"))
    for file in files:
        language = ElementTree.parse(file).getroot().get("language", "")
        if not file.stem.endswith("_" + language):
            yield f"{file.name}: its language is {language!r}"
        yield from check(file, language.startswith("en"))
    if files:
        yield from check_fresh(root, files)


def main():
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
    found = list(findings(root))
    print(*found[:40], sep="\n", end="\n" if found else "")
    if len(found) > 40:
        print(f"… and {len(found) - 40} more")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
