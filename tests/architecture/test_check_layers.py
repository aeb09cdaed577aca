#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each rule of check_layers.py finds what it is for, and leaves its neighbour alone."""

import tempfile
import unittest
from pathlib import Path

import check_layers

SPDX = ("// SPDX-FileCopyrightText: 2026 Berth contributors\n"
        "// SPDX-License-Identifier: GPL-3.0-or-later\n")
HASHED = SPDX.replace("//", "#")

# (rule, path, text): must be found
BAD = [
    ("layer", "src/domain/a.cpp", '#include "application/engine.h"\n'),
    ("layer", "src/domain/a.cpp", '#  include "net/http_client.h"\n'),
    ("layer", "src/async/a.cpp", '#include "domain/error.h"\n'),
    ("layer", "src/application/a.cpp", '#include "storage/database.h"\n'),
    ("layer", "ui/main/a.cpp", '#include "providers/docker/client.h"\n'),
    ("layer", "ui/main/a.cpp", '#include "remote/client.h"\n'),
    ("layer", "src/cli/a.cpp", '#include "ui/main/window.h"\n'),
    ("layer", "providers/docker/a.cpp", '#include "providers/local/provider.h"\n'),
    ("layer", "providers/docker/a.cpp", '#include "application/engine.h"\n'),
    ("dotdot", "src/net/a.cpp", '#include "../storage/database.h"\n'),
    ("qt-module", "src/domain/a.cpp", "#include <QtGui/QColor>\n"),
    ("qt-module", "src/domain/a.h", "#pragma once\n#include <QtNetwork/QLocalSocket>\n"),
    ("qt-module", "src/application/a.cpp", "#include <QtSql/QSqlQuery>\n"),
    ("qt-module", "ui/main/a.cpp", "#include <QtNetwork/QTcpSocket>\n"),
    ("qt-module", "ui/CMakeLists.txt", HASHED + "target_link_libraries(x PRIVATE Qt6::Sql)\n"),
    ("qt-module", "src/domain/CMakeLists.txt", HASHED + "berth_library(d PUBLIC Qt6::Core Qt6::Gui)\n"),
    ("whole-module", "ui/main/a.cpp", "#include <QtWidgets>\n"),
    ("whole-module", "ui/main/a.cpp", "#include <QtWidgets/QtWidgets>\n"),
    ("heavy-header", "src/net/a.h", "#pragma once\n#include <nlohmann/json.hpp>\n"),
    ("heavy-header", "src/net/a.h", "#pragma once\n#include <spdlog/spdlog.h>\n"),
    ("event-loop", "src/net/a.cpp", "QEventLoop loop;\n"),
    ("event-loop", "ui/main/a.cpp", "QCoreApplication::processEvents();\n"),
    ("string-connect", "ui/main/a.cpp", "connect(a, SIGNAL(x()), b, SLOT(y()));\n"),
    ("style-sheet", "ui/main/a.cpp", "w->setStyleSheet(s);\n"),
    ("exec", "ui/main/a.cpp", "dialog.exec();\n"),
    ("exec", "ui/main/a.cpp", "menu->exec(p);\n"),
    ("exec", "ui/main/a.cpp", "QMessageBox::warning(this, a, b);\n"),
    ("exec", "ui/main/a.cpp", "QFileDialog::getOpenFileName(this);\n"),
    ("qjson", "src/net/a.cpp", "QJsonObject o;\n"),
    ("mutex", "src/net/a.cpp", "std::mutex m;\n"),
    ("thread", "src/net/a.cpp", "std::jthread t;\n"),
    ("thread", "src/net/a.cpp", "QtConcurrent::run(f);\n"),
    ("blocking-wait", "src/net/a.cpp", "process.waitForFinished();\n"),
    ("singleton", "src/net/a.h", "#pragma once\nclass A { static A &instance(); };\n"),
    ("widget-coroutine", "ui/main/a.cpp", "co_await x;\n"),
    ("vague-name", "src/net/a.h", "#pragma once\nclass SocketManager\n{\n};\n"),
    ("automoc", "src/net/a.h", "#pragma once\nclass A : public QObject { Q_OBJECT\n};\n"),
    ("colour", "ui/main/a.cpp", 'const QColor c(u"#0b6e6e"_qs);\n'),
    ("colour", "ui/main/a.cpp", "const QColor c(11, 110, 110);\n"),
    ("colour", "ui/main/a.cpp", "p.setPen(Qt::red);\n"),
    ("unfinished", "src/net/a.cpp", "// TODO: later\n"),
    ("capturing-coroutine", "src/net/a.cpp", "void f() { run([this]() -> Task<void> { co_await g(); }); }\n"),
    ("capturing-coroutine", "src/net/a.cpp", "void f() { auto x = [=] { co_return 1; }; }\n"),
    ("capturing-coroutine", "src/net/a.cpp",
     "void f() { auto x = [a = b(1)](int (*q)(int)) mutable -> Async<int> { if (a) { co_return 1; } }; }\n"),
    ("lambda-in-await", "src/net/a.cpp", "Task<void> f()\n{\n    const int h = co_await k([x](int y) { return x + y; });\n}\n"),
    ("two-awaits", "src/net/a.cpp", "void f() {\n    const P p{co_await a(), co_await b()};\n}\n"),
    ("length", "src/net/a.cpp", "int x;\n" * 601),
    ("file-name", "src/net/HttpClient.cpp", "int x;\n"),
    ("pragma-once", "src/net/a.h", "int x;\n"),
    ("spdx", "src/net/a.cpp", None),
    ("spdx", "packaging/x.sh", None),
]

# (path, text): nothing may be found
GOOD = [
    ("src/domain/a.cpp", '#include "domain/error.h"\n#include "async/task.h"\n#include <QtCore/QString>\n#include <tl/expected.hpp>\n'),
    ("src/domain/a.cpp", '// #include "application/engine.h"\n/* QEventLoop, SIGNAL(x) */\nconst char *s = "QEventLoop; // x";\n'),
    ("src/domain/a.cpp", 'const char *s = R"(QEventLoop "quoted" SIGNAL(x))";\nint n = 1\'000\'000; char c = \'"\'; int m; // QMutex\n'),
    ("src/bootstrap/a.cpp", '#include "ui/main/window.h"\n#include "providers/docker/provider.h"\n#include <QtWidgets/QApplication>\n'),
    ("src/storage/a.cpp", "#include <QtSql/QSqlQuery>\nbool ok = query.exec();\n"),
    ("src/net/a.cpp", "#include <nlohmann/json.hpp>\n#include <QtNetwork/QNetworkReply>\n"),
    ("src/net/a.h", "#pragma once\n#include <nlohmann/json_fwd.hpp>\nclass SocketManagerView;\nclass FileInfo;\n"),
    ("ui/main/a.cpp", '#include "ui/style/tokens.h"\n#include "application/engine_client.h"\n#include <QtWidgets/QWidget>\nmenu->popup(p);\n'),
    ("ui/style/tokens.cpp", 'const QColor c(u"#0b6e6e"_qs); const QColor d(1, 2, 3);\n'),
    ("ui/main/a.cpp", 'p.setPen(style.accent()); const auto n = u"Issue #1234"_qs; p.setBrush(Qt::NoBrush);\n'),
    ("src/net/a.cpp", "void f() { run([this] { g(); }); auto a = b[i]; [[maybe_unused]] int x; }\n"),
    ("src/net/a.cpp", "Task<void> f()\n{\n    post([x] { x(); });\n    co_await g();\n    const int h = co_await k();\n}\n"),
    ("src/net/a.cpp", "void f() { auto x = [](P p) -> Task<void> { co_await p.go(); }; }\n"),
    ("src/net/a.cpp", "Task<int> f()\n{\n    if (co_await a()) {\n        co_return co_await b();\n    }\n}\n"),
    ("src/net/a.cpp", "int x;\n" * 590),
    ("src/net/a.cpp", "const auto id = std::this_thread::get_id();\nstd::thread::id t;\n"),
    ("tests/net/a.cpp", '#include "providers/docker/client.h"\n#include <QtTest/QTest>\nQEventLoop loop;\n'),
    ("src/guest/a.h", "#ifndef BERTH_A_H\n#define BERTH_A_H\n#endif\n"),
    ("ui/CMakeLists.txt", HASHED + "# never Qt6::Network\ntarget_link_libraries(x PRIVATE Qt6::Widgets Qt6::Charts)\n"),
    ("tests/data/odd/File.cpp", "SIGNAL(x)\n"),
]


def found(path, text):
    if text is None:
        text = "int x;\n"
    elif path.endswith((".cpp", ".h", ".c")):
        text = SPDX + text
    with tempfile.TemporaryDirectory() as root:
        file = Path(root, path)
        file.parent.mkdir(parents=True)
        file.write_text(text)
        return {(rule, line) for _, line, rule, _ in check_layers.findings(root)}


class CheckLayers(unittest.TestCase):
    def setUp(self):
        self.exceptions, check_layers.EXCEPTIONS = check_layers.EXCEPTIONS, {}
        self.long_files, check_layers.LONG_FILES = check_layers.LONG_FILES, {}

    def tearDown(self):
        check_layers.EXCEPTIONS, check_layers.LONG_FILES = self.exceptions, self.long_files

    def test_bad(self):
        for rule, path, text in BAD:
            with self.subTest(rule=rule, path=path, text=text and text[:60]):
                self.assertIn(rule, {r for r, _ in found(path, text)})

    def test_good(self):
        for path, text in GOOD:
            with self.subTest(path=path, text=text[:60]):
                self.assertEqual(set(), found(path, text))

    def test_line_numbers(self):
        self.assertEqual({("event-loop", 5)}, found("src/net/a.cpp", "/* one\n two */\nQEventLoop x;\n"))

    def test_every_rule_has_a_bad_sample(self):
        source = Path(check_layers.__file__).read_text()
        import re
        rules = set(re.findall(r'yield "([a-z-]+)"', source)) | {w[0] for w in check_layers.WORDS}
        self.assertEqual(set(), rules - {rule for rule, _, _ in BAD})

    def test_exception_is_used_or_stale(self):
        check_layers.EXCEPTIONS = {("src/net/a.cpp", "mutex"): "a reason"}
        self.assertEqual(set(), found("src/net/a.cpp", "std::mutex m;\n"))
        self.assertEqual({("stale-exception", 1)}, found("src/net/a.cpp", "int m;\n"))

    def test_reason_for_a_long_file(self):
        check_layers.LONG_FILES = {"src/net/a.cpp": "a table"}
        self.assertEqual(set(), found("src/net/a.cpp", "int x;\n" * 700))
        self.assertEqual({("stale-exception", 1)}, found("src/net/a.cpp", "int x;\n"))


if __name__ == "__main__":
    unittest.main()
