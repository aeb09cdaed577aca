#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fakes do what tests rely on: their faults come, their sandboxes are apart, all of it ends."""
import base64
import http.client
import json
import os
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.parse
from pathlib import Path

HERE = Path(__file__).resolve().parent
PYTHON = "/usr/bin/python3"
KEY = {"X-API-Key": "e2b_" + "0" * 40}


class Service:
    def __init__(self, name="e2b"):
        self.root = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen([PYTHON, str(HERE / name / "server.py"), "--root",
                                         self.root.name], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.urls = json.loads(self.process.stdout.readline())["urls"]

    def ask(self, key, method, path, body=None, headers=None, timeout=10):
        """(status, body, headers)"""
        place = urllib.parse.urlsplit(self.urls[key]).netloc
        connection = http.client.HTTPConnection(place, timeout=timeout)
        try:
            data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
            connection.request(method, path, data, {**KEY, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.headers)
        finally:
            connection.close()

    def knobs(self, **wanted):
        status, _, _ = self.ask("control", "POST", "/__knobs", wanted)
        assert status == 200

    def create(self):
        status, body, _ = self.ask("api", "POST", "/v2/sandboxes",
                                   {"templateID": "base", "timeout": 300})
        assert status == 201, body
        made = json.loads(body)
        return {"E2b-Sandbox-Id": made["sandboxID"], "E2b-Sandbox-Port": "49983",
                "X-Access-Token": made["envdAccessToken"]}

    def run(self, box, script, user="user"):
        """(output of both streams, the end event); until the stream ends or is cut."""
        message = json.dumps({"process": {"cmd": "/bin/sh", "args": ["-c", script]},
                              "stdin": False}).encode()
        name = base64.b64encode(f"{user}:".encode()).decode()
        _, body, _ = self.ask("envd", "POST", "/process.Process/Start",
                              struct.pack(">BI", 0, len(message)) + message,
                              {**box, "Content-Type": "application/connect+json",
                               "Authorization": "Basic " + name})
        output, end, at = b"", None, 0
        while at + 5 <= len(body):
            flags, length = struct.unpack_from(">BI", body, at)
            event = json.loads(body[at + 5:at + 5 + length]).get("event", {})
            for piece in event.get("data", {}).values():
                output += base64.b64decode(piece)
            end = event.get("end", end)
            at += 5 + length
        return output.decode(), end

    def end(self):
        self.process.stdin.close()
        try:
            return self.process.wait(10)
        finally:
            self.process.stdout.close()
            self.root.cleanup()


def descendants(pid):
    """Process ids of all that pid started, and they."""
    parents = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                stat = Path(f"/proc/{entry}/stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            parents.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry))
    found, left = [], [pid]
    while left:
        for child in parents.get(left.pop(), []):
            found.append(child)
            left.append(child)
    return found


def is_alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


def all_gone(pids, limit=5):
    end = time.monotonic() + limit
    while any(is_alive(pid) for pid in pids):
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Faults(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.service = Service()

    @classmethod
    def tearDownClass(cls):
        cls.service.end()

    def tearDown(self):
        self.service.knobs(faults=[])

    def list(self, **more):
        return self.service.ask("api", "GET", "/v2/sandboxes", **more)

    def test_status_comes_as_often_as_asked(self):
        self.service.knobs(faults=[{"match": "GET /v2", "skip": 1, "times": 2, "status": 429,
                                    "headers": {"Retry-After": "7"}}])
        answers = [self.list() for _ in range(4)]
        self.assertEqual([a[0] for a in answers], [200, 429, 429, 200])
        self.assertEqual(answers[1][2]["Retry-After"], "7")
        self.assertEqual(self.service.ask("api", "GET", "/health")[0], 200)

    def test_latency(self):
        self.service.knobs(faults=[{"latencyMs": 300}])
        began = time.monotonic()
        self.assertEqual(self.list()[0], 200)
        self.assertGreaterEqual(time.monotonic() - began, 0.3)

    def test_stall_says_nothing(self):
        self.service.knobs(faults=[{"stall": True}])
        with self.assertRaises(TimeoutError):
            self.list(timeout=0.4)

    def test_reset(self):
        self.service.knobs(faults=[{"reset": True}])
        with self.assertRaises(ConnectionResetError):
            self.list()

    def test_lost_answer_is_of_something_done(self):
        before = len(json.loads(self.list()[1]))
        self.service.knobs(faults=[{"match": "POST /v2/sandboxes", "loseAnswer": True}])
        with self.assertRaises((ConnectionResetError, http.client.RemoteDisconnected)):
            self.service.create()
        self.assertEqual(len(json.loads(self.list()[1])), before + 1)

    def test_cut_inside_the_body(self):
        self.service.knobs(faults=[{"match": "GET /v2", "cutAfter": 1}])
        self.service.create()
        with self.assertRaises(http.client.IncompleteRead) as told:
            self.list()
        self.assertEqual(len(told.exception.partial), 1)

    def test_pieces(self):
        self.service.knobs(faults=[{"chunk": 1, "gapMs": 20}])
        began = time.monotonic()
        self.assertEqual(self.service.ask("api", "GET", "/health")[1],
                         b"Health check successful")
        self.assertGreater(time.monotonic() - began, 0.3)

    def test_wrong_and_strange_json(self):
        self.service.create()
        self.service.knobs(faults=[{"wrongJson": True}])
        with self.assertRaises(ValueError):
            json.loads(self.list()[1])
        self.service.knobs(faults=[{"wrongJson": "html"}])
        self.assertTrue(self.list()[1].startswith(b"<html>"))
        self.service.knobs(faults=[{"extra": True, "merge": {"state": "hibernating"}}])
        first = json.loads(self.list()[1])[0]
        self.assertEqual(first["state"], "hibernating")
        self.assertIn("unknownToEveryone", first)

    def test_log(self):
        self.service.knobs(clearRequests=True)
        self.list()
        # The client has its answer a moment before the end of the exchange is written down.
        for _ in range(100):
            _, body, _ = self.service.ask("control", "GET", "/__requests")
            record = json.loads(body)[0]
            if "ended" in record:
                break
            time.sleep(0.05)
        self.assertEqual([record[k] for k in ("method", "path", "status", "ended")],
                         ["GET", "/v2/sandboxes", 200, "complete"])


class Sandboxes(unittest.TestCase):
    def setUp(self):
        self.service = Service()

    def tearDown(self):
        if not self.service.process.stdin.closed:
            self.service.end()

    def test_apart(self):
        one, other = self.service.create(), self.service.create()
        self.assertEqual(self.service.run(one, "echo a > /home/user/f; echo b > /tmp/f; id -un")[0],
                         "user\n")
        self.assertEqual(self.service.run(other, "ls /home/user /tmp")[0], "/home/user:\n\n/tmp:\n")
        told, end = self.service.run(one, "touch /usr/bin/x", user="root")
        self.assertIn("Read-only", told)
        self.assertEqual(end["exitCode"], 1)
        # The worst that a command can do ends its own sandbox's processes at most.
        self.service.run(one, "kill -9 -1", user="root")
        self.assertEqual(self.service.run(other, "cat /tmp/f 2>/dev/null || echo fine")[0], "fine\n")
        self.assertEqual(self.service.run(one, "cat /tmp/f")[0], "b\n")

    def test_pause_stops_what_runs(self):
        box = self.service.create()
        count = "cat /tmp/n | wc -l"
        self.service.run(box, "setsid sh -c 'while :; do echo x >>/tmp/n; sleep 0.01; done' "
                              ">/dev/null 2>&1 </dev/null & sleep 0.2")
        name = box["E2b-Sandbox-Id"]
        self.assertEqual(self.service.ask("api", "POST", f"/sandboxes/{name}/pause", {})[0], 204)
        self.assertEqual(self.service.ask("envd", "GET", "/health", headers=box)[0], 502)
        time.sleep(0.5)
        status, _, _ = self.service.ask("api", "POST", f"/v2/sandboxes/{name}/connect", {})
        self.assertEqual(status, 201)
        first = int(self.service.run(box, count)[0])
        time.sleep(0.2)
        self.assertGreater(int(self.service.run(box, count)[0]), first)
        # Half a second of writing would be some 40 lines.
        self.assertLess(first, 60)

    def started(self):
        box = self.service.create()
        self.service.run(box, "setsid sleep 600 >/dev/null 2>&1 </dev/null &")
        found = descendants(self.service.process.pid)
        self.assertGreaterEqual(len(found), 2)
        return found

    def test_end_of_input_ends_all(self):
        found = self.started()
        self.assertEqual(self.service.end(), 0)
        self.assertTrue(all_gone(found))

    def test_a_killed_fake_leaves_nothing(self):
        found = self.started()
        self.service.process.send_signal(signal.SIGKILL)
        self.service.process.wait(5)
        self.assertTrue(all_gone(found))

    def test_term_ends_all(self):
        found = self.started()
        self.service.process.send_signal(signal.SIGTERM)
        self.assertEqual(self.service.process.wait(5), 0)
        self.assertTrue(all_gone(found))


class Gates(unittest.TestCase):
    """Tenki's connections can be broken below gRPC."""

    def test_connections(self):
        service = Service("tenki")
        try:
            place = urllib.parse.urlsplit(service.urls["api"])
            address = (place.hostname, place.port)
            service.knobs(gate={"api": {"refuse": True}})
            with socket.create_connection(address, 5) as one, self.assertRaises(ConnectionError):
                one.settimeout(5)
                one.sendall(b"PRI")
                if not one.recv(1):
                    raise ConnectionError
            service.knobs(gate={"api": {"bare404": True}})
            with socket.create_connection(address, 5) as one:
                one.settimeout(5)
                # A request's head: literal :method, as little HPACK as there can be.
                one.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0\4\0\0\0\0\0"
                            + b"\0\0\1\1\5\0\0\0\1" + b"\x82")
                told = b""
                while b"\x8d" not in told:
                    piece = one.recv(4096)
                    self.assertTrue(piece)
                    told += piece
        finally:
            self.assertEqual(service.end(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=1)
