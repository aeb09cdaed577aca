#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Asks a server what its own OpenAPI document allows, and what it does not.

usage: fuzz_openapi.py <berth-cli>

BERTH_FUZZ_SECONDS (15) and BERTH_FUZZ_SEED (1) say for how long and which requests. Fails on a status of 500
or more, on an answer that the document does not describe, and on a server that has gone or leaks descriptors.
"""
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

SECONDS = float(os.environ.get("BERTH_FUZZ_SECONDS", "15"))
SEED = int(os.environ.get("BERTH_FUZZ_SEED", "1"))
VANISHING = 1000
TEXTS = ["", "x", "default", "local", "nonsense", "-", "..", "../../etc/passwd", "\u4f60\u597d", "\U0001f40b",
         "a" * 300, "0", "-1", "null", "true", "%", "%00", "' OR 1=1 --", "{}", "\\x00", "\u202e", "!", "!true",
         "2026-01-02T03:04:05.678Z", "$(id)", "${HOME}", "a b", "a/b"]


class Wrong(Exception):
    pass


def check(schema, value, document, where="answer"):
    """The part of JSON Schema that the document uses."""
    if "$ref" in schema:
        target = document
        for part in schema["$ref"].lstrip("#/").split("/"):
            target = target[part]
        return check(target, value, document, where)
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
             "number": (int, float), "null": type(None)}
    wanted = schema.get("type")
    if wanted is not None:
        names = wanted if isinstance(wanted, list) else [wanted]
        fits = any(isinstance(value, kinds[name]) and not (isinstance(value, bool) and name != "boolean")
                   for name in names)
        if not fits:
            raise Wrong(f"{where} is no {wanted}: {value!r:.80}")
    if "enum" in schema and value not in schema["enum"]:
        raise Wrong(f"{where} is none of {schema['enum']}: {value!r:.80}")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                raise Wrong(f"{where}.{name} is missing")
        extra = schema.get("additionalProperties")
        for name, part in value.items():
            if name in schema.get("properties", {}):
                check(schema["properties"][name], part, document, f"{where}.{name}")
            elif isinstance(extra, dict):
                check(extra, part, document, f"{where}.{name}")
    if isinstance(value, list) and "items" in schema:
        for at, part in enumerate(value):
            check(schema["items"], part, document, f"{where}[{at}]")
    return None


class Fuzzer:
    def __init__(self, port, token, pid):
        self.port, self.token, self.pid = port, token, pid
        self.random = random.Random(SEED)
        self.seen = []
        self.document = json.loads(self.ask("GET", "/api/openapi.json")[2])
        self.counts = {}

    def ask(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        all_headers = {"Authorization": "Bearer " + self.token}
        all_headers.update(headers or {})
        try:
            connection.request(method, path, body=body, headers=all_headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Content-Type", ""), answer.read()
        finally:
            connection.close()

    def text(self):
        if self.seen and self.random.random() < 0.4:
            return self.random.choice(self.seen)
        if self.random.random() < 0.8:
            return self.random.choice(TEXTS)
        return "".join(chr(self.random.choice([self.random.randrange(32, 127), self.random.randrange(0xa0, 0xd7ff)]))
                       for _ in range(self.random.randrange(1, 40)))

    def anything(self, depth=0):
        choices = [lambda: None, lambda: self.random.random() < 0.5, lambda: self.random.randrange(-5, 10),
                   lambda: self.random.choice([2**63, -2**63, 1e308, 0.5]), self.text]
        if depth < 4:
            choices += [lambda: [self.anything(depth + 1) for _ in range(self.random.randrange(3))],
                        lambda: {self.text()[:20]: self.anything(depth + 1) for _ in range(self.random.randrange(3))}]
        return self.random.choice(choices)()

    def fitting(self, schema, name):
        if "enum" in schema:
            return self.random.choice(schema["enum"])
        kind = schema.get("type")
        kind = kind[0] if isinstance(kind, list) else kind
        if kind == "integer":
            low = max(schema.get("minimum", 0), -100)
            high = min(schema.get("maximum", 100), low + 100)
            # Nobody waits here.
            return min(self.random.randint(low, high), 1) if "wait" in name else self.random.randint(low, high)
        if kind == "boolean":
            return self.random.random() < 0.5
        if kind == "array":
            return [self.text() for _ in range(self.random.randrange(3))]
        if kind == "object":
            return {self.text()[:20]: self.text() for _ in range(self.random.randrange(3))}
        return self.text()

    def value(self, schema, name):
        return self.fitting(schema, name) if self.random.random() < 0.85 else self.anything()

    def request(self, path, operation):
        """A path with its query, a body and headers."""
        query = []
        for parameter in operation.get("parameters", []):
            if "$ref" in parameter:
                continue
            schema, name = parameter["schema"], parameter["name"]
            if parameter["in"] == "path":
                value = self.text() or "x"
                path = path.replace("{" + name + "}", http_quote(value))
            elif parameter.get("required") or self.random.random() < 0.4:
                value = self.value(schema, name)
                value = str(value).lower() if isinstance(value, bool) else str(value)
                query.append(http_quote(name) + "=" + http_quote(value))
        if self.random.random() < 0.05:
            query.append(http_quote(self.text()) + "=" + http_quote(self.text()))
        if query:
            path += "?" + "&".join(query)
        body, headers = None, {}
        if "requestBody" in operation:
            content = operation["requestBody"]["content"]
            kind = next(iter(content))
            headers["Content-Type"] = kind
            body = self.body(kind, content[kind]["schema"])
        if self.random.random() < 0.1:
            headers["Idempotency-Key"] = self.random.choice(["a", "b", "k" * 255, "k" * 256])
        if self.random.random() < 0.03:
            headers["Content-Type"] = "text/plain"
        return path, body, headers

    def body(self, kind, schema):
        if kind != "application/json":
            return bytes(self.random.randrange(256) for _ in range(self.random.randrange(200)))
        dice = self.random.random()
        if dice < 0.03:
            return b"{\"a\":" * 2000
        if dice < 0.06:
            return b"{\"text\":\"\xff\xfe\"}"
        if dice < 0.09:
            return b""
        if dice < 0.15:
            return json.dumps(self.anything()).encode()
        made = {}
        for name, part in schema.get("properties", {}).items():
            if (name in schema.get("required", []) and self.random.random() < 0.95) or self.random.random() < 0.5:
                made[name] = self.value(part, name)
        if self.random.random() < 0.05 or schema.get("additionalProperties"):
            made[self.text()[:20] or "x"] = self.anything()
        return json.dumps(made).encode()

    def one(self, path, method, operation):
        asked, body, headers = self.request(path, operation)
        told = f"{method.upper()} {asked!r:.300} {body!r:.300} {headers}"
        try:
            status, kind, answer = self.ask(method.upper(), asked, body, headers)
        except (OSError, http.client.HTTPException) as error:
            raise Wrong(f"{told}: {error!r}") from error
        self.counts[status] = self.counts.get(status, 0) + 1
        if status >= 500:
            raise Wrong(f"{told}: {status} {answer[:300]!r}")
        described = operation["responses"].get(str(status))
        if described is None:
            if status < 400:
                raise Wrong(f"{told}: {status} is not in the document")
            described = self.document["components"]["responses"]["Error"]
        content = described.get("content", {})
        if kind not in content and kind.split(";")[0] not in [name.split(";")[0] for name in content]:
            # Some give the bytes themselves when asked to.
            if not (status == 200 and "raw=" in asked and kind == "application/octet-stream"):
                raise Wrong(f"{told}: {status} comes as {kind}")
            return
        if kind.startswith("application/json"):
            parsed = json.loads(answer)
            schema = next(part["schema"] for name, part in content.items() if name.startswith("application/json"))
            try:
                check(schema, parsed, self.document)
            except Wrong as error:
                raise Wrong(f"{told}: {status} {error}") from error
            self.learn(parsed)

    def learn(self, parsed):
        """Names of things that are there, for later requests."""
        if isinstance(parsed, dict):
            for name, value in parsed.items():
                if isinstance(value, str) and name.endswith("id") and value and value not in self.seen:
                    self.seen.append(value)
                    del self.seen[:-60]
                self.learn(value)
        elif isinstance(parsed, list):
            for value in parsed[:5]:
                self.learn(value)

    def run(self):
        operations = [(path, method, operation) for path, methods in self.document["paths"].items()
                      for method, operation in methods.items() if operation["operationId"] != "events"]
        end = time.monotonic() + SECONDS
        asked = 0
        while time.monotonic() < end or asked < len(operations):
            self.one(*(operations[asked] if asked < len(operations) else self.random.choice(operations)))
            asked += 1
        return asked

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def vanish(self):
        """Clients that leave at each byte, in turn of every kind of request."""
        head = f"Host: 127.0.0.1:{self.port}\r\nAuthorization: Bearer {self.token}\r\n".encode()
        body = b'{"text":"!true","config":"local"}'
        requests = [
            b"GET /api/snapshot HTTP/1.1\r\n" + head + b"\r\n",
            b"GET /api/events HTTP/1.1\r\n" + head + b"\r\n",
            b"POST /api/threads HTTP/1.1\r\n" + head + b"Content-Type: application/json\r\nContent-Length: "
            + str(len(body) + 1).encode() + b"\r\n\r\n" + body,
            b"PUT /api/files/x/content?path=y HTTP/1.1\r\n" + head
            + b"Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\n" + b"z" * 100,
            b"POST /api/sandbox/runtimes/x/pause?wait=5 HTTP/1.1\r\n" + head + b"\r\n"]
        self.ask("GET", "/health")
        before = self.descriptors()
        left = 0
        while left < VANISHING:
            whole = requests[left % len(requests)]
            length = (left // len(requests) * 3) % (len(whole) + 1)
            with socket.create_connection(("127.0.0.1", self.port), timeout=10) as client:
                # A reset, not an orderly end.
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                client.sendall(whole[:length])
            left += 1
        end = time.monotonic() + 20
        while self.descriptors() > before + 2 and time.monotonic() < end:
            time.sleep(0.1)
        if self.descriptors() > before + 2:
            raise Wrong(f"{self.descriptors()} descriptors are open, before it were {before}")
        status, _, answer = self.ask("GET", "/health")
        if status != 200:
            raise Wrong(f"no health after that: {status} {answer!r}")


def http_quote(text):
    from urllib.parse import quote
    return quote(text, safe="")


def main():
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, HOME=home, XDG_CONFIG_HOME=home + "/config", XDG_DATA_HOME=home + "/data",
                           XDG_RUNTIME_DIR=home, DOCKER_HOST="unix:///nonexistent.sock")
        server = subprocess.Popen([sys.argv[1], "--data-dir", home + "/berth", "--json", "serve", "--listen",
                                   "127.0.0.1:0"], stdout=subprocess.PIPE, env=environment)
        try:
            told = json.loads(server.stdout.readline())
            with open(told["token_file"], encoding="ascii") as file:
                token = file.read().strip()
            fuzzer = Fuzzer(int(told["listening"].rsplit(":", 1)[1]), token, server.pid)
            asked = fuzzer.run()
            fuzzer.vanish()
            print(f"{asked} requests with seed {SEED}: "
                  + ", ".join(f"{count} x {status}" for status, count in sorted(fuzzer.counts.items())))
            server.send_signal(signal.SIGTERM)
            if server.wait(30) != 0:
                raise Wrong(f"the server ended with {server.returncode}")
        except Wrong as error:
            print(f"seed {SEED}: {error}", file=sys.stderr)
            return 1
        finally:
            if server.poll() is None:
                server.kill()
                server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
