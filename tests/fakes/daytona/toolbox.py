# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Daytona's daemon in a sandbox: commands, sessions, terminals, files."""
import base64
import datetime
import http
import json
import os
import queue
import re
import signal
import stat
import threading
import time
import urllib.parse
import uuid
from pathlib import Path

import base

INSIDE = Path(__file__).with_name("inside.py").read_text(encoding="utf-8")
HOME = "/home/daytona"
DOMAIN_CODES = {404: "NOT_FOUND", 400: "BAD_REQUEST", 409: "CONFLICT", 401: "UNAUTHORIZED",
                403: "FORBIDDEN", 410: "GONE", 500: "INTERNAL_SERVER_ERROR"}
OUT, ERR = b"\1\1\1", b"\2\2\2"
# What the session's shell reads for each command: both streams go line by line into one log,
# marked; the command is sourced, so that it changes the shell, and may end it.
SESSION_STEP = """{{
mkfifo {d}/out {d}/err
( while IFS= read -r line || [ -n "$line" ]; do printf '\\001\\001\\001%s\\n' "$line"; done \
<{d}/out ) >>{d}/log & __r1=$!
( while IFS= read -r line || [ -n "$line" ]; do printf '\\002\\002\\002%s\\n' "$line"; done \
<{d}/err ) >>{d}/log & __r2=$!
. {d}/command >{d}/out 2>{d}/err <{input}
__code=$?
wait $__r1 $__r2
echo $__code >{d}/code.new
mv {d}/code.new {d}/code
}}
"""


def stamp(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def error_body(exchange, route, status, message, code=None, source="DAYTONA_DAEMON"):
    code = code or DOMAIN_CODES.get(status) or http.HTTPStatus(status).name
    return {"statusCode": status, "message": message, "code": code,
            "timestamp": stamp(time.time()), "path": route, "method": exchange.command,
            "source": source}


def refusal(exchange, route, status, message, code=None, source="DAYTONA_DAEMON"):
    return base.Refusal(status, error_body(exchange, route, status, message, code, source),
                        content_type="application/json; charset=utf-8")


def streams_of(log):
    """(stdout, stderr) of a marked log."""
    parts = re.split(b"(\1\1\1|\2\2\2)", log)
    found = {OUT: b"", ERR: b""}
    for at in range(1, len(parts) - 1, 2):
        found[parts[at]] += parts[at + 1]
    return found[OUT], found[ERR]


class Session:
    def __init__(self, daemon, name):
        self.daemon, self.name = daemon, name
        self.commands, self.cancelled = {}, threading.Event()
        self.inputs = {}
        self.shell = daemon.spawn([daemon.shell], HOME, {}, merge=True)
        threading.Thread(target=daemon.drain, args=(self.shell.stdout,), daemon=True).start()

    def end(self):
        self.cancelled.set()
        self.shell.signal(signal.SIGTERM, group=True)
        if self.shell.wait(0.5) is None:
            self.shell.signal(signal.SIGKILL, group=True)
        os.close(self.shell.stdin)
        for fd in self.inputs.values():
            os.close(fd)


class Terminal:
    def __init__(self, daemon, asked):
        self.daemon, self.id = daemon, asked["id"]
        self.cwd = asked.get("cwd") or HOME
        self.env = {"TERM": "xterm-256color", **(asked.get("envs") or {})}
        self.cols, self.rows = asked.get("cols") or 80, asked.get("rows") or 24
        self.lazy, self.created = bool(asked.get("lazyStart")), time.time()
        self.process, self.clients, self.lock = None, [], threading.Lock()
        if not self.lazy:
            self.begin()

    def begin(self):
        self.process = self.daemon.spawn([self.daemon.shell, "-i", "-l"], self.cwd, self.env,
                                         terminal=(self.cols, self.rows))
        threading.Thread(target=self.pump, daemon=True).start()

    def told(self):
        return {"id": self.id, "cwd": self.cwd, "envs": self.env, "cols": self.cols,
                "rows": self.rows, "createdAt": stamp(self.created), "active": True,
                "lazyStart": self.lazy}

    def tell(self, item):
        with self.lock:
            for client in list(self.clients):
                try:
                    client.put_nowait(item)
                except queue.Full:
                    self.clients.remove(client)
                    client.slow = True

    def pump(self):
        try:
            while data := os.read(self.process.terminal, 32768):
                self.tell(data)
        except OSError:
            pass
        self.process.wait(5)
        code = self.process.code if self.process.code is not None else -9
        exit_code = code if code >= 0 else 128 - code
        names = {0: None, 130: "Ctrl+C", 137: "SIGKILL", 143: "SIGTERM"}
        reason = names.get(exit_code, f"signal {-code}" if code < 0 else "non-zero exit")
        told = {"exitCode": exit_code, **({"exitReason": reason} if reason else {})}
        self.daemon.terminals.pop(self.id, None)
        self.tell(told)
        os.close(self.process.terminal)


class Client(queue.Queue):
    slow = False


class Daemon:
    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.sessions, self.terminals = {}, {}
        self.lock = threading.Lock()
        self.epoch = 0
        self.measured = (time.monotonic(), 0.0)

    @property
    def box(self):
        return self.sandbox.box

    @property
    def shell(self):
        return self.sandbox.fake.settings["shell"]

    def end_streams(self):
        """Whoever listens is cut."""
        self.epoch += 1

    def forget(self):
        for session in self.sessions.values():
            session.cancelled.set()
        self.sessions.clear()
        self.terminals.clear()

    def drain(self, fd):
        try:
            while os.read(fd, 65536):
                pass
        except OSError:
            pass
        os.close(fd)

    def spawn(self, argv, cwd, env, **more):
        uid = 0 if self.sandbox.user == "root" else self.box.uid
        return self.box.spawn(argv, cwd, {
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": HOME,
            "USER": self.sandbox.user, "SHELL": self.shell, "LANG": "C.UTF-8",
            **self.sandbox.env, **env}, uid=uid, **more)

    # Requests

    def handle(self, exchange, route, websocket):
        def no(status, message, code=None):
            return refusal(exchange, route, status, message, code)
        if self.sandbox.state != "started":
            raise no(400, "no IP address found. Is the Sandbox started?")
        wants_socket = exchange.headers.get("Upgrade", "").lower() == "websocket"
        if wants_socket and not websocket:
            raise no(400, "websockets are not supported here")
        new = ("/system/metrics", "/env", "/process/pty/create-connect", "/files/upload-v2")
        if route in new and not self.sandbox.fake.settings["newRoutes"]:
            raise base.Refusal(404, b"404 page not found", content_type="text/plain")
        for pattern, method in self.routes:
            found = re.fullmatch(pattern, exchange.command + " " + route)
            if found:
                exchange.no = no
                return method(self, exchange, *found.groups())
        raise base.Refusal(404, b"404 page not found", content_type="text/plain")

    def one(self, exchange, name, default=None):
        value = exchange.query.get(name, [default])[0]
        if value is None:
            raise exchange.no(400, f"{name} is required")
        return value

    def version(self, exchange):
        exchange.reply(200, {"version": "0.218.0"})

    def directory(self, exchange):
        exchange.reply(200, {"dir": HOME})

    def environment(self, exchange):
        exchange.reply(200, self.sandbox.env)

    def metrics(self, exchange):
        _, total, cache = self.box.memory()
        disk_total, disk_used = self.box.call("disk")
        seconds, used = self.box.call("usage")
        since, before = self.measured
        self.measured = (time.monotonic(), seconds)
        percent = max(0.0, seconds - before) / max(0.01, time.monotonic() - since) * 100
        exchange.reply(200, {
            "cpuCount": self.sandbox.cpu, "cpuUsedPct": round(percent, 2), "memTotal": total, "memUsed": used,
            "memCache": cache, "diskTotal": disk_total, "diskUsed": disk_used,
            "diskFree": disk_total - disk_used, "timestamp": stamp(time.time()),
            "timestampUnix": int(time.time())})

    # Commands

    def execute(self, exchange):
        asked = exchange.json()
        command, limit = asked.get("command"), asked.get("timeout") or 0
        if not isinstance(command, str) or not command.strip():
            raise exchange.no(400, "command cannot be empty or whitespace-only")
        if not isinstance(limit, int) or limit < 0:
            raise exchange.no(400, "invalid timeout")
        for name in asked.get("envs") or {}:
            if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name):
                raise exchange.no(400, f"invalid environment variable name: '{name}'")
        try:
            process = self.spawn([self.shell], asked.get("cwd") or HOME, asked.get("envs") or {},
                                 merge=True)
        except OSError as problem:
            text = (problem.strerror or "").lower()
            return exchange.reply(200, {"exitCode": -1,
                                        "result": f"fork/exec {self.shell}: {text}"})
        output = bytearray()
        ended = threading.Event()

        def read():
            while data := os.read(process.stdout, 65536):
                output.extend(data)
            os.close(process.stdout)
            process.ended.wait()
            ended.set()

        def feed():
            try:
                data = command.encode()
                while data:
                    data = data[os.write(process.stdin, data):]
            except OSError:
                pass
            os.close(process.stdin)

        threading.Thread(target=feed, daemon=True).start()
        threading.Thread(target=read, daemon=True).start()
        epoch = self.epoch
        deadline = time.monotonic() + limit if limit else None
        while not ended.wait(0.02):
            if self.epoch != epoch:
                raise base.Cut
            if deadline and time.monotonic() > deadline:
                process.signal(signal.SIGKILL, group=True)
                raise exchange.no(408, "command execution timeout", "PROCESS_EXECUTION_TIMEOUT")
        exchange.reply(200, {"exitCode": max(-1, process.code),
                             "result": output.decode("utf-8", "replace")},
                       content_type="application/json; charset=utf-8")

    # Sessions

    def session(self, exchange, name):
        found = self.sessions.get(name)
        if not found:
            raise exchange.no(404, "session not found")
        return found

    def command(self, exchange, session, name):
        if name not in session.commands:
            raise exchange.no(404, "command not found")
        return session.commands[name]

    def state(self, session, name):
        """{"code": n or None, "size": of the log}"""
        return self.box.call("session_state", session.commands[name]["folder"])

    def told(self, session):
        commands = []
        for name, command in session.commands.items():
            code = self.state(session, name)["code"]
            commands.append({"id": name, "command": command["text"],
                             **({} if code is None else {"exitCode": code})})
        return {"sessionId": session.name, "commands": commands}

    def session_create(self, exchange):
        name = exchange.json().get("sessionId")
        if not name or name == "entrypoint":
            raise exchange.no(400, "invalid session id")
        with self.lock:
            if name in self.sessions:
                raise exchange.no(409, "session already exists")
            try:
                self.sessions[name] = Session(self, name)
            except OSError as problem:
                raise exchange.no(500, f"fork/exec {self.shell}: {problem.strerror.lower()}")
        exchange.reply(201)

    def session_list(self, exchange):
        exchange.reply(200, [self.told(s) for s in list(self.sessions.values())])

    def session_get(self, exchange, name):
        exchange.reply(200, self.told(self.session(exchange, name)))

    def session_delete(self, exchange, name):
        session = self.session(exchange, name)
        del self.sessions[name]
        session.end()
        exchange.reply(204)

    def knows_streams(self, exchange):
        found = re.match(r"v?(\d+)\.(\d+)\.(\d+)",
                         exchange.headers.get("X-Daytona-SDK-Version", ""))
        return bool(found) and tuple(map(int, found.groups())) >= (0, 167, 0)

    def session_exec(self, exchange, name):
        session = self.session(exchange, name)
        asked = exchange.json()
        text, is_async = asked.get("command"), asked.get("runAsync", asked.get("async", False))
        if not text:
            raise exchange.no(400, "command is required")
        command = str(uuid.uuid4())
        folder = f"/var/lib/daytona/{session.name}/{command}"
        uid = 0 if self.sandbox.user == "root" else self.box.uid
        self.box.call("session_prepare", folder, text, uid, is_async)
        step = SESSION_STEP.format(d=folder, input=folder + "/input" if is_async else "/dev/null")
        if is_async:
            session.inputs[command] = self.box.open(folder + "/input", os.O_RDWR)
        session.commands[command] = {"text": text, "folder": folder, "async": is_async,
                                     "echo": not asked.get("suppressInputEcho", False)}
        try:
            os.write(session.shell.stdin, step.encode())
            if session.shell.ended.is_set():
                raise BrokenPipeError(32, "broken pipe")
        except OSError:
            raise exchange.no(400, "failed to execute command: failed to write command: "
                                   "write |1: broken pipe")
        if is_async:
            return exchange.reply(202, {"cmdId": command, "output": None, "stdout": None,
                                        "stderr": None, "exitCode": None})
        epoch = self.epoch
        while self.state(session, command)["code"] is None:
            if self.epoch != epoch or exchange.gone():
                raise base.Cut
            if session.cancelled.wait(0.03):
                raise exchange.no(400, "failed to execute command: session cancelled")
        log = self.box.read(folder + "/log")
        out, err = streams_of(log)
        told = {"cmdId": command, "exitCode": self.state(session, command)["code"]}
        if self.knows_streams(exchange):
            told.update(output=text_of(log), stdout=text_of(out), stderr=text_of(err))
        else:
            told.update(output=text_of(log.replace(OUT, b"").replace(ERR, b"")), stdout=None,
                        stderr=None)
        exchange.reply(200, told)

    def session_command(self, exchange, name, command):
        session = self.session(exchange, name)
        found = self.command(exchange, session, command)
        code = self.state(session, command)["code"]
        exchange.reply(200, {"id": command, "command": found["text"],
                             **({} if code is None else {"exitCode": code})})

    def session_input(self, exchange, name, command):
        session = self.session(exchange, name)
        found = self.command(exchange, session, command)
        if self.state(session, command)["code"] is not None:
            raise exchange.no(410, "command has already completed", "COMMAND_ALREADY_COMPLETED")
        if not found["async"]:
            raise exchange.no(400, "only asynchronous commands take input")
        data = exchange.json().get("data", "").encode() + b"\n"
        if found["echo"]:
            fd = self.box.open(found["folder"] + "/log", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            with open(fd, "ab") as log:
                log.write(OUT + data)
        os.write(session.inputs[command], data)
        exchange.reply(204)

    def session_logs(self, exchange, name, command):
        session = self.session(exchange, name)
        folder = self.command(exchange, session, command)["folder"]
        follow = exchange.query.get("follow", ["false"])[0] == "true"
        if not follow:
            log = self.box.read(folder + "/log")
            out, err = streams_of(log)
            if self.knows_streams(exchange):
                return exchange.reply(200, {"output": text_of(log), "stdout": text_of(out),
                                            "stderr": text_of(err)})
            return exchange.reply(200, log.replace(OUT, b"").replace(ERR, b""),
                                  content_type="text/plain; charset=utf-8")
        if exchange.headers.get("Upgrade", "").lower() == "websocket":
            socket = base.WebSocket(exchange, offered(exchange))
            threading.Thread(target=discard, args=(socket,), daemon=True).start()
            if self.follow(exchange, session, command, socket.send):
                socket.close(1000)
            return
        exchange.begin(200, content_type="application/octet-stream")
        held = bytearray()

        def send(data):
            """Markers may lie across two pieces, so what could begin one is held back."""
            held.extend(data)
            last = len(held)
            while last and last > len(held) - 2 and held[last - 1] in (1, 2):
                last -= 1
            plain = re.sub(b"\1\1\1|\2\2\2", b"", bytes(held[:last]))
            del held[:last]
            if plain:
                exchange.write(plain)

        if self.follow(exchange, session, command, send):
            exchange.finish_body()

    def follow(self, exchange, session, command, send):
        """Sends the log as it grows until the command ended."""
        epoch, folder = self.epoch, session.commands[command]["folder"]
        with open(self.box.open(folder + "/log", os.O_RDONLY), "rb") as log:
            while True:
                state = self.state(session, command)
                while data := log.read(32768):
                    send(data)
                if state["code"] is not None:
                    return True
                if self.epoch != epoch or session.cancelled.wait(0.01):
                    raise base.Cut
                if exchange.headers.get("Upgrade") is None and exchange.gone():
                    raise BrokenPipeError

    # Terminals

    def pty_make(self, exchange, asked):
        name = asked.get("id")
        if not name:
            raise base.Refusal(400, {"error": "Session ID is required"})
        with self.lock:
            if name in self.terminals:
                raise base.Refusal(409, {"error": f"PTY session with ID '{name}' already exists"})
            try:
                self.terminals[name] = Terminal(self, asked)
            except OSError:
                raise base.Refusal(500, {"error": "failed to start PTY session"})
        return self.terminals[name]

    def pty(self, exchange, name):
        found = self.terminals.get(name)
        if not found:
            raise base.Refusal(404, {"error": f"PTY session {name} not found"})
        return found

    def pty_create(self, exchange):
        asked = exchange.json()
        self.pty_make(exchange, asked)
        exchange.reply(201, {"sessionId": asked["id"]})

    def pty_list(self, exchange):
        exchange.reply(200, {"sessions": [t.told() for t in list(self.terminals.values())]})

    def pty_get(self, exchange, name):
        exchange.reply(200, self.pty(exchange, name).told())

    def pty_delete(self, exchange, name):
        terminal = self.pty(exchange, name)
        self.terminals.pop(name, None)
        if terminal.process:
            terminal.process.signal(signal.SIGKILL, group=True)
        exchange.reply(200, {"message": "PTY session deleted"})

    def pty_resize(self, exchange, name):
        terminal = self.pty(exchange, name)
        asked = exchange.json()
        cols, rows = asked.get("cols", 0), asked.get("rows", 0)
        if not 1 <= cols <= 1000 or not 1 <= rows <= 1000:
            raise base.Refusal(400, {"error": "cols and rows must be 1 to 1000"})
        terminal.cols, terminal.rows = cols, rows
        if terminal.process:
            terminal.process.resize(cols, rows)
        exchange.reply(200, terminal.told())

    def pty_connect(self, exchange, name):
        terminal = self.terminals.get(name)
        problem = None if terminal else \
            f"Failed to connect to PTY session: PTY session {name} not found"
        self.attach(exchange, terminal, problem)

    def pty_create_connect(self, exchange):
        query = {key: values[0] for key, values in exchange.query.items()}
        asked = {"id": query.get("id"), "cwd": query.get("cwd"),
                 "cols": int(query.get("cols", 80)), "rows": int(query.get("rows", 24)),
                 "envs": envs_of(exchange)}
        try:
            terminal, problem = self.pty_make(exchange, asked), None
        except base.Refusal as refused:
            terminal, problem = None, refused.body["error"]
        self.attach(exchange, terminal, problem)

    def attach(self, exchange, terminal, problem):
        if exchange.headers.get("Upgrade", "").lower() != "websocket":
            raise base.Refusal(400, {"error": "not a websocket handshake"})
        tells_exit = "X-Daytona-Pty-Exit-Control" in protocols(exchange)
        socket = base.WebSocket(exchange, offered(exchange))
        if problem:
            socket.send(json.dumps({"type": "control", "status": "error", "error": problem}))
            return socket.close(1000)
        client, epoch = Client(256), self.epoch
        with terminal.lock:
            terminal.clients.append(client)
        socket.send(json.dumps({"type": "control", "status": "connected"}))
        if not terminal.process:
            terminal.begin()
        gone = threading.Event()

        def read():
            while message := socket.receive():
                if len(message[1]) > 65536:
                    socket.close(1009, "message too big")
                    break
                try:
                    os.write(terminal.process.terminal, message[1])
                except OSError:
                    break
            gone.set()

        threading.Thread(target=read, daemon=True).start()
        try:
            while not gone.is_set():
                if self.epoch != epoch:
                    raise base.Cut
                if client.slow:
                    return socket.close(1008, "slow consumer")
                try:
                    item = client.get(timeout=0.05)
                except queue.Empty:
                    continue
                if isinstance(item, dict):
                    if tells_exit:
                        socket.send(json.dumps({"type": "control", "status": "exited", **item}))
                    return socket.close(1000 if item["exitCode"] == 0 else 1011, json.dumps(item))
                size = self.sandbox.fake.settings.get("eventBytes") or len(item)
                for at in range(0, len(item), size):
                    socket.send(item[at:at + size])
        finally:
            with terminal.lock:
                if client in terminal.clients:
                    terminal.clients.remove(client)

    # Files

    def absolute(self, path):
        return os.path.normpath(os.path.join(HOME, path))

    def tried(self, exchange, path, name, *args):
        try:
            return self.box.call(name, *args)
        except FileNotFoundError:
            raise exchange.no(404, f"stat {path}: no such file or directory", "FILE_NOT_FOUND")
        except PermissionError:
            raise exchange.no(403, f"open {path}: permission denied", "FILE_ACCESS_DENIED")
        except OSError as problem:
            raise exchange.no(400, f"{path}: {(problem.strerror or '').lower()}",
                              "INVALID_FILE_PATH")

    def info_of(self, told):
        mode = told["target"] or told["mode"]
        moment = datetime.datetime.fromtimestamp(told["mtime"] / 1e9, datetime.timezone.utc)
        text = stat.filemode(mode)
        return {"name": told["name"], "size": told["size"],
                "mode": ("d" if stat.S_ISDIR(mode) else "-") + text[1:],
                "modTime": moment.strftime("%Y-%m-%d %H:%M:%S.%f +0000 UTC"),
                "modifiedAt": moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
                "isDir": stat.S_ISDIR(mode), "owner": str(told["uid"]),
                "group": str(told["gid"]), "permissions": f"{stat.S_IMODE(mode):04o}"}

    def files_list(self, exchange):
        path = self.absolute(self.one(exchange, "path", "."))
        depth = 1
        if self.sandbox.fake.settings["newRoutes"]:
            depth = int(self.one(exchange, "depth", "1"))
        deep = "depth" in exchange.query
        found = self.tried(exchange, path, "list", path, depth)
        told = []
        for one in found:
            if one["link"] is not None and one["target"] is None:
                continue
            info = self.info_of(one)
            if deep:
                info["path"] = os.path.relpath(one["path"], path)
            told.append(info)
        exchange.reply(200, told)

    def files_info(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        told = self.tried(exchange, path, "entry", path)
        if told["link"] is not None and told["target"] is None:
            raise exchange.no(404, f"stat {path}: no such file or directory", "FILE_NOT_FOUND")
        exchange.reply(200, self.info_of(told))

    def open_file(self, exchange, path):
        told = self.tried(exchange, path, "entry", path)
        if stat.S_ISDIR(told["target"] or told["mode"]):
            raise exchange.no(400, "invalid file path: path is a directory", "INVALID_FILE_PATH")
        try:
            return open(self.box.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
        except OSError as problem:
            status = 403 if isinstance(problem, PermissionError) else 404
            raise exchange.no(status, f"open {path}: {problem.strerror.lower()}",
                              "FILE_NOT_FOUND" if status == 404 else "FILE_ACCESS_DENIED")

    def download(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        with self.open_file(exchange, path) as file:
            size = os.fstat(file.fileno()).st_size
            name = urllib.parse.quote(os.path.basename(path))
            exchange.begin(200, {"Content-Length": str(size),
                                 "Content-Disposition": f"attachment; filename={name}"},
                           "application/octet-stream")
            while data := file.read(65536):
                exchange.write(data)

    def bulk_download(self, exchange):
        boundary = b"--DAYTONA-FILE-BOUNDARY"
        paths = exchange.json().get("paths") or []
        if not paths:
            raise exchange.no(400, "request body must be {\"paths\": [...]}")
        exchange.begin(200, content_type="multipart/form-data; boundary=DAYTONA-FILE-BOUNDARY")
        for given in paths:
            quoted = urllib.parse.quote(given, safe="")
            name = f"filename=\"{given}\"; filename*=utf-8''{quoted}".encode()
            try:
                with self.open_file(exchange, self.absolute(given)) as file:
                    size = os.fstat(file.fileno()).st_size
                    exchange.write(boundary + b"\r\nContent-Disposition: form-data; name=\"file\"; "
                                   + name + b"\r\nContent-Type: application/octet-stream\r\n"
                                   b"Content-Length: " + str(size).encode() + b"\r\n\r\n")
                    while data := file.read(65536):
                        exchange.write(data)
                    exchange.write(b"\r\n")
            except base.Refusal as refused:
                exchange.write(boundary + b"\r\nContent-Disposition: form-data; name=\"error\"; "
                               + name + b"\r\nContent-Type: application/json; charset=utf-8\r\n"
                               b"\r\n" + json.dumps(refused.body).encode() + b"\r\n")
        exchange.write(boundary + b"--\r\n")
        exchange.finish_body()

    def store(self, path, data):
        uid = 0 if self.sandbox.user == "root" else self.box.uid
        self.box.call("make_parents", os.path.dirname(path), uid, uid)
        self.box.write(path, data, uid, uid)

    def upload(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        parts = base.multipart(exchange.body, exchange.headers.get("Content-Type", ""))
        data = next((data for name, _, data in parts if name == "file"), None)
        if data is None:
            raise exchange.no(400, "http: no such file")
        try:
            self.store(path, data)
        except OSError as problem:
            raise exchange.no(400, f"{path}: {(problem.strerror or '').lower()}")
        exchange.reply(200)

    def bulk_upload(self, exchange):
        paths, stored, errors = {}, [], []
        for name, _, data in base.multipart(exchange.body,
                                            exchange.headers.get("Content-Type", "")):
            found = re.fullmatch(r"files\[(\d+)\]\.(path|file)", name)
            if not found:
                continue
            if found[2] == "path":
                paths[found[1]] = data.decode()
            elif found[1] not in paths:
                errors.append(f"file[{found[1]}]: missing .path metadata")
            else:
                path = self.absolute(paths[found[1]])
                try:
                    self.store(path, data)
                    stored.append({"path": paths[found[1]], "bytes": len(data)})
                except OSError as problem:
                    errors.append(f"{path}: {(problem.strerror or '').lower()}")
        if errors:
            raise base.Refusal(400, {"errors": errors, "files": stored})
        exchange.reply(200, {"files": stored})

    def files_delete(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        recursive = self.one(exchange, "recursive", "false") == "true"
        told = self.tried(exchange, path, "entry", path)
        if stat.S_ISDIR(told["mode"]) and not recursive:
            raise exchange.no(400, "cannot delete directory without recursive flag")
        self.tried(exchange, path, "remove", path, True)
        exchange.reply(204)

    def folder(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        mode = int(self.one(exchange, "mode", "755"), 8)
        uid = 0 if self.sandbox.user == "root" else self.box.uid
        self.tried(exchange, path, "make_parents", path, uid, uid, mode)
        exchange.reply(201)

    def move(self, exchange):
        source = self.absolute(self.one(exchange, "source"))
        destination = self.absolute(self.one(exchange, "destination"))
        self.tried(exchange, source, "entry", source)
        if self.box.call("exists", destination):
            raise exchange.no(409, "destination already exists")
        self.tried(exchange, destination, "move", source, destination)
        exchange.reply(200)

    def permissions(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        mode = self.one(exchange, "mode", "")
        self.tried(exchange, path, "permissions", path, mode, self.one(exchange, "owner", ""),
                   self.one(exchange, "group", ""))
        exchange.reply(200)

    def search(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        exchange.reply(200, {"files": self.tried(exchange, path, "search", path,
                                                 self.one(exchange, "pattern"))})

    def find(self, exchange):
        path = self.absolute(self.one(exchange, "path"))
        exchange.reply(200, self.tried(exchange, path, "find", path,
                                       self.one(exchange, "pattern")))

    def replace(self, exchange):
        asked = exchange.json()
        told = []
        for given in asked.get("files") or []:
            try:
                self.box.call("replace", self.absolute(given), asked["pattern"],
                              asked["newValue"])
                told.append({"file": given, "success": True})
            except OSError as problem:
                told.append({"file": given, "success": False, "error": problem.strerror})
        exchange.reply(200, told)

    S = r"/process/session/([^/]+)"
    routes = [
        ("GET /version", version), ("GET /work-dir", directory), ("GET /user-home-dir", directory),
        ("GET /project-dir", directory), ("GET /env", environment),
        ("GET /system/metrics", metrics), ("POST /process/execute", execute),
        ("POST /process/session", session_create), ("GET /process/session", session_list),
        ("GET " + S, session_get), ("DELETE " + S, session_delete),
        ("POST " + S + "/exec", session_exec),
        ("GET " + S + "/command/([^/]+)", session_command),
        ("GET " + S + "/command/([^/]+)/logs", session_logs),
        ("POST " + S + "/command/([^/]+)/input", session_input),
        ("GET /process/pty/create-connect", pty_create_connect),
        ("POST /process/pty", pty_create), ("GET /process/pty", pty_list),
        ("GET /process/pty/([^/]+)", pty_get), ("DELETE /process/pty/([^/]+)", pty_delete),
        ("POST /process/pty/([^/]+)/resize", pty_resize),
        ("GET /process/pty/([^/]+)/connect", pty_connect),
        ("GET /files", files_list), ("DELETE /files", files_delete),
        ("GET /files/info", files_info), ("GET /files/download", download),
        ("POST /files/bulk-download", bulk_download), ("POST /files/upload", upload),
        ("POST /files/bulk-upload", bulk_upload), ("POST /files/folder", folder),
        ("POST /files/move", move), ("POST /files/permissions", permissions),
        ("GET /files/search", search), ("GET /files/find", find),
        ("POST /files/replace", replace)]


def text_of(data):
    return data.decode("utf-8", "replace")


def protocols(exchange):
    return [p.strip() for p in exchange.headers.get("Sec-WebSocket-Protocol", "").split(",")
            if p.strip()]


def offered(exchange):
    """The subprotocol to answer with; none when none was offered."""
    return next(iter(protocols(exchange)), None)


def envs_of(exchange):
    for protocol in protocols(exchange):
        name, _, value = protocol.partition("~")
        if name == "X-Daytona-Pty-Envs":
            return json.loads(base64.urlsafe_b64decode(value + "=" * (-len(value) % 4)))
    return {}


def discard(socket):
    while socket.receive():
        pass
