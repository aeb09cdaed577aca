# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fake services share: HTTP/1.1 listeners, a request log, faults on demand, their end.

A fake prints one line of JSON when it serves, {"urls": {...}, "pid": n}, and ends, with all that it
started, at the end of its standard input (--stay: not then) or at SIGTERM.

Every listener, and one of its own ("control"), answers:
  GET  /__requests[?since=n]  what was asked so far (JSON array, see Record)
  POST /__knobs               {"faults": [Fault...] replaces them, "addFaults": [...],
                               "clearRequests": true, any other member: a setting of the service}
  GET  /__knobs               the settings and the faults with how often each was met

A fault is an object:
  match     regular expression, searched in "METHOD /target"; without it, everything
  surface   only on this listener
  skip, times   met first skip times without effect, then times times (absent: always)
and what happens:
  latencyMs     waits before anything else
  status, body, headers, contentType   this answer instead of the service's (body: JSON or text)
  wrongJson     true: the service's answer is broken off JSON; "html": a page of a proxy
  extra         true: members that no document knows are put into every object of a JSON answer
  merge         object, merged into a JSON answer (into each item of a list, also deeper)
  reset         the connection is reset before the request is looked at
  lateStatus    the service does what was asked, then this status is answered, as by a proxy
  loseAnswer    the service does what was asked, then the connection is reset
  stall         never answers, nothing is done
  cutAfter, resetAfter, stallAfter   n bytes of the body go out, then that happens
  whenOver      that happens once the command that the answer is about has ended, not before
  chunk, gapMs  the body goes out in pieces of n bytes with a pause between
"""
import argparse
import base64
import hashlib
import http.client
import http.server
import json
import os
import re
import select
import shutil
import signal
import socket
import socketserver
import struct
import sys
import tempfile
import threading
import time
import traceback
import urllib.parse
from pathlib import Path

LARGEST_LOGGED = 256 * 1024


class Refusal(Exception):
    """An answer with an error status."""

    def __init__(self, status, body, headers=None, content_type="application/json"):
        super().__init__(status)
        self.status, self.body, self.headers = status, body, headers or {}
        self.content_type = content_type


class Cut(Exception):
    """The connection ends here; the client gets no more."""


class Fault:
    def __init__(self, told):
        self.told = told
        self.pattern = re.compile(told.get("match", ""))
        self.met = 0

    def applies(self, surface, line):
        if self.told.get("surface", surface) != surface or not self.pattern.search(line):
            return False
        self.met += 1
        skip, times = self.told.get("skip", 0), self.told.get("times")
        return self.met > skip and (times is None or self.met <= skip + times)


def encoded(body):
    return body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()


def merge(value, more):
    """Puts the members of `more` into `value`, or into each object of a list, deeper where both go on."""
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, dict):
            continue
        for key, wanted in more.items():
            if isinstance(wanted, dict) and isinstance(item.get(key), (dict, list)):
                merge(item[key], wanted)
            else:
                item[key] = wanted


def with_unknown(value):
    if isinstance(value, dict):
        made = {key: with_unknown(item) for key, item in value.items()}
        made["unknownToEveryone"] = {"deep": [1, "x", None]}
        return made
    return [with_unknown(item) for item in value] if isinstance(value, list) else value


def logged_body(data, content_type):
    """The body as the log tells it: json, envelopes, text or base64."""
    if not data:
        return {}
    if "connect+" in content_type or content_type.startswith("application/grpc"):
        found, at = [], 0
        while at + 5 <= len(data):
            flags, length = struct.unpack_from(">BI", data, at)
            piece = data[at + 5:at + 5 + length]
            try:
                found.append({"flags": flags, "json": json.loads(piece)})
            except ValueError:
                found.append({"flags": flags, "base64": base64.b64encode(piece).decode()})
            at += 5 + length
        return {"envelopes": found}
    if len(data) > LARGEST_LOGGED:
        return {"bytes": len(data)}
    try:
        return {"json": json.loads(data)}
    except ValueError:
        pass
    try:
        return {"text": data.decode()}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode()}


def multipart(body, kind):
    """(name, filename, data) of each part."""
    boundary = re.search(r'boundary="?([^";]+)', kind)
    if not boundary:
        raise Refusal(400, {"code": 400, "message": "no multipart boundary in Content-Type"})
    parts = []
    for piece in (b"\r\n" + body).split(b"\r\n--" + boundary[1].encode())[1:]:
        if piece.startswith(b"--"):
            break
        head, _, data = piece[2:].partition(b"\r\n\r\n")
        shown = re.search(rb'(?i)content-disposition:[^\r\n]*', head)
        text = shown[0].decode() if shown else ""
        name, filename = re.search(r'\bname="([^"]*)"', text), \
            re.search(r'filename="([^"]*)"', text)
        parts.append((name[1] if name else "", filename[1] if filename else None, data))
    return parts


def forward(exchange, port):
    """Hands the request to what listens on this machine; false when nothing does."""
    headers = {key: value for key, value in exchange.headers.items()
               if key.lower() not in ("connection", "transfer-encoding", "content-length")}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request(exchange.command, exchange.path, exchange.body, headers)
        answer = connection.getresponse()
        exchange.reply(answer.status, answer.read(),
                       content_type=answer.headers.get("Content-Type", "text/plain"))
        return True
    except ConnectionRefusedError:
        return False
    finally:
        connection.close()


class Exchange(http.server.BaseHTTPRequestHandler):
    """One connection; `fake.handle(surface, exchange)` answers each request on it."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version, sys_version = "fake", ""

    def log_message(self, *_):
        pass

    def serve(self):
        self.fake, self.surface = self.server.fake, self.server.surface
        parts = urllib.parse.urlsplit(self.path)
        self.route = urllib.parse.unquote(parts.path)
        self.query_text = parts.query
        self.query = urllib.parse.parse_qs(parts.query, keep_blank_values=True)
        self.fault = {}
        self.begun, self.chunked, self.sent, self.record = False, False, 0, {}
        self.over = None  # set once the command that is followed has ended
        try:
            if self.route.startswith("/__"):
                self.body = self.read_body()
                self.control()
                return
            self.body = None
            self.fault = self.fake.fault(self.surface, f"{self.command} {self.path}")
            self.record = self.fake.note(self)
            if self.fault.get("reset"):
                raise ConnectionResetError
            self.body = self.read_body()
            self.record.update(logged_body(self.body, self.headers.get("Content-Type", "")))
            self.apply_before()
            self.fake.handle(self.surface, self)
            self.record["ended"] = "complete"
        except Refusal as refusal:
            self.refuse(refusal)
        except (Cut, ConnectionResetError) as problem:
            self.record["ended"] = "cut"
            self.close_connection = True
            if isinstance(problem, ConnectionResetError):
                self.reset()
        except (BrokenPipeError, socket.timeout):
            self.record["ended"] = "client-disconnected"
            self.close_connection = True
        except Exception:
            self.fake.problem(traceback.format_exc())
            self.record["ended"] = "failed"
            self.close_connection = True
            if not self.begun:
                self.reply(500, {"code": 500, "message": "the fake failed, see its stderr"})

    do_GET = do_POST = do_PUT = do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = serve

    def read_body(self):
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            data = bytearray()
            while True:
                length = int(self.rfile.readline().split(b";")[0], 16)
                data += self.rfile.read(length)
                if not length:
                    while self.rfile.readline() not in (b"\r\n", b"\n", b""):
                        pass
                    return bytes(data)
                self.rfile.readline()
        return self.rfile.read(int(self.headers.get("Content-Length") or 0))

    def apply_before(self):
        fault = self.fault
        if fault.get("latencyMs"):
            self.fake.sleep(fault["latencyMs"] / 1000)
        if fault.get("stall"):
            self.stall()
        if "status" in fault:
            body = fault.get("body", self.fake.fault_body(self, fault["status"]))
            kind = fault.get("contentType") or ("text/plain" if isinstance(body, str)
                                                else "application/json")
            raise Refusal(fault["status"], body.encode() if isinstance(body, str) else body,
                          fault.get("headers"), kind)

    def refuse(self, refusal):
        self.record["ended"] = "refused"
        try:
            self.reply(refusal.status, refusal.body, refusal.headers, refusal.content_type)
        except (Cut, OSError):
            self.close_connection = True

    def stall(self):
        """Until the client gives up or the fake ends."""
        while not self.gone() and not self.fake.ending.wait(0.05):
            pass
        raise Cut

    def gone(self):
        """True when the client closed its end."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        try:
            return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def reset(self):
        try:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                       struct.pack("ii", 1, 0))
            self.connection.close()
        except OSError:
            pass

    # Answers

    def json(self):
        """The request's JSON body ({} when empty); refuses anything else."""
        try:
            return json.loads(self.body or b"{}")
        except ValueError:
            raise self.fake.bad_json()

    def reply(self, status, body=b"", headers=None, content_type="application/json"):
        if self.fault.get("lateStatus") and status < 400:
            status = self.fault["lateStatus"]
            body, headers = self.fake.fault_body(self, status), None
        data = body
        if not isinstance(body, bytes):
            data = body
            if self.fault.get("extra"):
                data = with_unknown(data)
            if "merge" in self.fault:
                merge(data, self.fault["merge"])
            data = encoded(data)
        if self.fault.get("wrongJson") == "html":
            data, content_type = b"<html><body>Bad gateway</body></html>", "text/html"
        elif self.fault.get("wrongJson"):
            data = data[:max(1, len(data) // 2)] if len(data) > 2 else b'{"a":'
        self.begin(status, {**(headers or {}), "Content-Length": str(len(data))},
                   content_type if data else None)
        if self.command != "HEAD":
            self.write(data)

    def begin(self, status, headers=None, content_type=None):
        """The head; without Content-Length the body goes out in chunks until finish()."""
        if self.fault.get("loseAnswer"):
            raise ConnectionResetError
        headers = dict(headers or {})
        self.begun, self.record["status"] = True, status
        names = {name.lower() for name in headers}
        self.chunked = status not in (101, 204, 304) and "content-length" not in names
        self.send_response(status)
        if content_type:
            self.send_header("Content-Type", content_type)
        if self.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        for name, value in headers.items():
            if name.lower() == "content-length" and status in (101, 204):
                continue
            self.send_header(name, value)
        self.end_headers()

    def write(self, data):
        size, gap = self.fault.get("chunk") or len(data), self.fault.get("gapMs", 0) / 1000
        for at in range(0, len(data), size or 1):
            self.write_piece(data[at:at + size])
            if gap:
                self.fake.sleep(gap)

    def write_piece(self, data):
        for fault, then in (("cutAfter", Cut), ("resetAfter", ConnectionResetError),
                            ("stallAfter", None)):
            limit = self.fault.get(fault)
            if limit is not None and self.sent + len(data) > limit:
                head = f"{len(data):x}\r\n".encode() if self.chunked else b""
                self.connection.sendall(head + data[:limit - self.sent])
                if then is None:
                    self.stall()
                if self.fault.get("whenOver") and self.over:
                    self.over.wait(20)
                time.sleep(0.05)  # so that a reset does not overtake what was written
                raise then
        self.sent += len(data)
        if self.chunked:
            data = f"{len(data):x}\r\n".encode() + data + b"\r\n"
        self.connection.sendall(data)

    def finish_body(self):
        if self.chunked:
            self.connection.sendall(b"0\r\n\r\n")

    # /__requests and /__knobs

    def control(self):
        fake = self.fake
        if self.route == "/__requests":
            since = int(self.query.get("since", ["0"])[0])
            self.reply(200, [record for record in list(fake.requests) if record["n"] > since])
        elif self.route == "/__knobs" and self.command == "POST":
            fake.turn(json.loads(self.body or b"{}"))
            self.reply(200, {})
        elif self.route == "/__knobs":
            self.reply(200, {"settings": fake.settings,
                             "faults": [{**f.told, "met": f.met} for f in fake.faults]})
        else:
            self.reply(404, {})


class WebSocket:
    """The server's end of one; opcodes 1 text, 2 binary, 8 close."""

    def __init__(self, exchange, protocol=None):
        self.exchange, self.lock = exchange, threading.Lock()
        key = exchange.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        headers = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept}
        if protocol:
            headers["Sec-WebSocket-Protocol"] = protocol
        exchange.close_connection = True
        exchange.begin(101, headers)

    def send(self, data, opcode=None):
        if isinstance(data, str):
            data, opcode = data.encode(), opcode or 1
        opcode = opcode or 2
        if len(data) < 126:
            head = struct.pack(">BB", 0x80 | opcode, len(data))
        elif len(data) < 65536:
            head = struct.pack(">BBH", 0x80 | opcode, 126, len(data))
        else:
            head = struct.pack(">BBQ", 0x80 | opcode, 127, len(data))
        with self.lock:
            self.exchange.write(head + data)

    def close(self, code=1000, reason=""):
        try:
            self.send(struct.pack(">H", code) + reason.encode()[:120], 8)
        except OSError:
            pass

    def receive(self):
        """(opcode, data) of one message; None at the end."""
        whole, kind = b"", None
        try:
            while True:
                head = self.exchange.rfile.read(2)
                if len(head) < 2:
                    return None
                final, opcode, length = head[0] & 0x80, head[0] & 15, head[1] & 127
                if length == 126:
                    length = struct.unpack(">H", self.exchange.rfile.read(2))[0]
                elif length == 127:
                    length = struct.unpack(">Q", self.exchange.rfile.read(8))[0]
                mask = self.exchange.rfile.read(4) if head[1] & 0x80 else b"\0\0\0\0"
                data = self.exchange.rfile.read(length)
                data = bytes(b ^ mask[i % 4] for i, b in enumerate(data))
                if opcode == 8:
                    return None
                if opcode == 9:
                    self.send(data, 10)
                    continue
                if opcode == 10:
                    continue
                kind, whole = kind or opcode, whole + data
                if final:
                    return kind, whole
        except (OSError, ValueError, struct.error):
            return None


class Listener(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads, allow_reuse_address, request_queue_size = True, True, 128

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (OSError, ValueError)):
            super().handle_error(request, client_address)


class Fake:
    """A service. Subclasses give `surfaces`, `settings`, handle(), and stop() for what they hold."""

    surfaces = ("api",)
    defaults = {}

    def __init__(self, argv=None):
        parser = argparse.ArgumentParser()
        parser.add_argument("--port", type=int, default=0, help="of the first listener; 0: any")
        parser.add_argument("--root", help="where it keeps its files; default: a temporary folder")
        parser.add_argument("--knobs", default="{}", help="as for POST /__knobs")
        parser.add_argument("--log", help="file for what was asked, written at the end (JSON)")
        parser.add_argument("--stay", action="store_true", help="serve after standard input ended")
        self.arguments = parser.parse_args(argv)
        self.root = Path(tempfile.mkdtemp(prefix=type(self).__name__.lower() + "-",
                                          dir=self.arguments.root))
        self.ending = threading.Event()
        self.lock = threading.RLock()
        self.requests, self.cleared = [], []
        self.faults, self.settings = [], dict(self.defaults)
        self.listeners, self.urls = {}, {}
        self.turn(json.loads(self.arguments.knobs))

    def handle(self, surface, exchange):
        raise NotImplementedError

    def bad_json(self):
        return Refusal(400, {"code": 400, "message": "the body is no JSON"})

    def fault_body(self, exchange, status):
        """What the service says with an error status."""
        return {"code": status, "message": "a fault on demand"}

    def stop(self):
        """Ends what the service holds."""

    def sleep(self, seconds):
        if self.ending.wait(seconds):
            raise Cut

    def problem(self, text):
        sys.stderr.write(text)
        sys.stderr.flush()

    def turn(self, knobs):
        with self.lock:
            if "faults" in knobs:
                self.faults = [Fault(told) for told in knobs["faults"]]
            self.faults += [Fault(told) for told in knobs.get("addFaults", [])]
            if knobs.get("clearRequests"):
                self.cleared += self.requests  # the log at the end has them all
                self.requests.clear()
            for key, value in knobs.items():
                if key not in ("faults", "addFaults", "clearRequests"):
                    self.settings[key] = value
        self.turned(knobs)

    def turned(self, knobs):
        """For services that act on a setting."""

    def fault(self, surface, line):
        with self.lock:
            for fault in self.faults:
                if fault.applies(surface, line):
                    return fault.told
        return {}

    def note(self, exchange):
        with self.lock:
            record = {"n": len(self.requests) + 1, "surface": exchange.surface,
                      "method": exchange.command, "target": exchange.path,
                      "path": exchange.route, "query": exchange.query,
                      "headers": {k.lower(): v for k, v in exchange.headers.items()},
                      "t": time.time()}
            self.requests.append(record)
        return record

    def listen(self, surface, port=0):
        listener = Listener(("127.0.0.1", port), Exchange)
        listener.fake, listener.surface = self, surface
        self.listeners[surface] = listener
        self.urls[surface] = f"http://127.0.0.1:{listener.server_address[1]}"
        threading.Thread(target=listener.serve_forever, args=(0.05,), daemon=True).start()

    def open(self):
        port = self.arguments.port
        for surface in self.surfaces:
            self.listen(surface, port)
            port = 0
        self.listen("control")

    def main(self):
        """Serves until it is told to end."""
        signal.signal(signal.SIGTERM, lambda *_: self.ending.set())
        signal.signal(signal.SIGINT, lambda *_: self.ending.set())
        try:
            self.open()
            print(json.dumps({"urls": self.urls, "pid": os.getpid()}), flush=True)
            if not self.arguments.stay:
                threading.Thread(target=self.until_input_ends, daemon=True).start()
            while not self.ending.wait(1):
                pass
        finally:
            self.ending.set()
            self.write_log()
            self.stop()
            shutil.rmtree(self.root, ignore_errors=True)

    def write_log(self):
        if self.arguments.log:
            path = Path(self.arguments.log)
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_name(f"{path.name}.{os.getpid()}")
            fresh.write_text(json.dumps(self.cleared + self.requests), encoding="utf-8")
            fresh.rename(path)

    def until_input_ends(self):
        while os.read(0, 4096):
            pass
        self.ending.set()
