#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks of documents and translations find what they are for."""

import subprocess
import tempfile
import unittest
from pathlib import Path

import check_documents
import check_headers
import check_translations

TS = """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN"><context><name>W</name>
<message{numerus}><source>{source}</source><translation{state}>{text}</translation></message>
</context></TS>
"""


class Translations(unittest.TestCase):
    def found(self, source, text, state="", numerus="", cpp=None):
        with tempfile.TemporaryDirectory() as root:
            Path(root, "translations").mkdir()
            Path(root, "translations/berth_zh_CN.ts").write_text(
                TS.format(source=source, text=text, state=state, numerus=numerus))
            if cpp:
                Path(root, "ui").mkdir()
                Path(root, "ui/w.cpp").write_text(cpp)
            return "\n".join(check_translations.findings(Path(root)))

    def test_complete(self):
        self.assertEqual("", self.found("Run %1", "运行 %1"))

    def test_unfinished(self):
        self.assertIn("not translated", self.found("Run", "", ' type="unfinished"'))
        self.assertIn("not translated", self.found("Run", ""))

    def test_vanished(self):
        self.assertIn("no longer", self.found("Run", "运行", ' type="vanished"'))

    def test_placeholders(self):
        self.assertIn("placeholders", self.found("Run %1 in %2", "运行 %1"))
        self.assertIn("placeholders", self.found("Run", "运行 %1"))

    def test_plural_may_leave_the_number_out(self):
        form = "<numerusform>一个</numerusform>"
        self.assertEqual("", self.found("%n file(s)", form, numerus=' numerus="yes"'))

    def test_space_around(self):
        self.assertIn("space", self.found("Run: ", "运行："))

    @unittest.skipUnless(check_translations.lupdate(), "lupdate is not installed")
    def test_new_text_in_the_sources(self):
        cpp = 'void W::f() { tr("Run"); tr("Stop now"); }\n'
        answer = self.found("Run", "运行", cpp=cpp)
        self.assertIn("'Stop now' is new", answer)
        self.assertNotIn("'Run'", answer)


class Documents(unittest.TestCase):
    def found(self, text):
        with tempfile.TemporaryDirectory() as root:
            Path(root, "src/net").mkdir(parents=True)
            Path(root, "dev").write_text('case x in\nrun | test) "cmd_$command" ;;\nesac\n')
            for name in check_documents.DOCUMENTS:
                Path(root, name).write_text("")
            Path(root, "README.md").write_text(text)
            return list(check_documents.findings(Path(root)))

    def test_what_exists(self):
        self.assertEqual([], self.found("`src/net`, `./dev run`, [x](src/net), `src/{net}`, [y](https://example.org)\n"))

    def test_what_does_not(self):
        for text in ("`src/nett`", "`src/{net,nett}`", "`./dev jump`", "[x](docs/none.png)"):
            with self.subTest(text=text):
                self.assertEqual([("README.md", 2)], [f[:2] for f in self.found("\n" + text + "\n")])

    def test_missing_document(self):
        with tempfile.TemporaryDirectory() as root:
            Path(root, "dev").write_text('run | test) "cmd_$command" ;;\n')
            self.assertEqual(3, len(list(check_documents.findings(Path(root)))))


class Cases(unittest.TestCase):
    def found(self, rows):
        with tempfile.TemporaryDirectory() as root:
            Path(root, "tests").mkdir()
            Path(root, "tests/test_a.cpp").write_text("void TestA::works()\n{\n}\n")
            Path(root, "tests/CASES.md").write_text(rows)
            return [message for _, _, message in check_documents.cases(Path(root))]

    def test_what_exists(self):
        self.assertEqual([], self.found("| Case | Trial | Tests | Against |\n| 1 | x | `tests/test_a.cpp` works | real |\n"))

    def test_what_does_not(self):
        self.assertEqual(["tests/test_a.cpp has no test fails"], self.found("| 1 | x | `tests/test_a.cpp` works, fails | real |"))
        self.assertEqual(["tests/test_b.cpp has no test works"], self.found("| 1 | x | `tests/test_b.cpp` works | real |"))

    def test_rows_without_an_answer(self):
        self.assertEqual(1, len(self.found("| 1 | x | none | real |")))
        self.assertEqual(1, len(self.found("| 1 | x | `tests/test_a.cpp` works |  |")))


class Headers(unittest.TestCase):
    def found(self, listed, includer):
        with tempfile.TemporaryDirectory() as root:
            for folder in ("src/net", "src/cli"):
                Path(root, folder).mkdir(parents=True)
            Path(root, "src/net/a.h").write_text("")
            Path(root, "src/net/b.h").write_text("")
            Path(root, "src/net/CMakeLists.txt").write_text(f"berth_library(net HEADERS {listed})")
            Path(root, "src/cli/CMakeLists.txt").write_text("berth_library(cli)")
            Path(root, includer).write_text('#include "net/a.h"\n#include "net/b.h"\n')
            return list(check_headers.findings(Path(root)))

    def test_all_listed(self):
        self.assertEqual([], self.found("a.h b.h", "src/cli/x.cpp"))
        self.assertEqual([], self.found("${h})\nfile(GLOB h CONFIGURE_DEPENDS */*.h", "src/cli/x.cpp"))

    def test_used_by_another_library_but_not_listed(self):
        for listed in ("a.h", "a.h # b.h\n", "a.h bb.h"):
            with self.subTest(listed=listed):
                self.assertEqual(
                    ["src/net/b.h is in no HEADERS list of src/net/CMakeLists.txt, but src/cli/x.cpp includes it"],
                    self.found(listed, "src/cli/x.cpp"))

    def test_internal(self):
        self.assertEqual([], self.found("a.h", "src/net/x.cpp"))


class Door(unittest.TestCase):
    dev = Path(__file__).resolve().parents[2] / "dev"

    def ask(self, *arguments):
        return subprocess.run([self.dev, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def test_help_names_every_command(self):
        answer = self.ask("help")
        self.assertEqual(0, answer.returncode)
        for command in check_documents.door_commands(self.dev.read_text()):
            self.assertRegex(answer.stdout, rf"(?m)^  {command}\b")

    def test_unknown_command(self):
        answer = self.ask("jump")
        self.assertEqual(64, answer.returncode)
        self.assertIn("usage:", answer.stderr)


if __name__ == "__main__":
    unittest.main()
