# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What runs inside an E2B sandbox: processes and files by Connect RPC in JSON, files by HTTP."""
import base64
import collections
import datetime
import hashlib
import json
import os
import queue
import re
import select
import signal
import stat
import struct
import threading
import time
import zlib

import base

# What the sandbox's processes have used: seconds of a processor, bytes of memory.
INSIDE = '''
def op_usage():
    seconds, memory = 0.0, 0
    for pid in os.listdir("/proc"):
        if pid.isdigit():
            try:
                with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
                    words = file.read().rsplit(")", 1)[1].split()
            except OSError:
                continue
            seconds += (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
            memory += int(words[21]) * os.sysconf("SC_PAGE_SIZE")
    return [seconds, memory]
'''
STATUS_OF = {"canceled": 499, "unknown": 500, "invalid_argument": 400, "deadline_exceeded": 504,
             "not_found": 404, "already_exists": 409, "permission_denied": 403,
             "resource_exhausted": 429, "failed_precondition": 400, "aborted": 409,
             "out_of_range": 400, "unimplemented": 501, "internal": 500, "unavailable": 503,
             "data_loss": 500, "unauthenticated": 401}
STREAMS = {"process.Process/Start", "process.Process/Connect",
           "filesystem.Filesystem/WatchDir"}


class RpcError(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message

    def told(self):
        return {"code": self.code, "message": self.message}


def rest_error(code, message):
    return base.Refusal(code, {"code": code, "message": message},
                        {"X-Content-Type-Options": "nosniff"}, "application/json; charset=utf-8")


UNAUTHORIZED = ("unauthorized access, please provide a valid access token or method signing "
                "if supported")


class Command:
    """A process and those who listen to it; what nobody hears is lost."""

    def __init__(self, sandbox, asked, user, env, cwd):
        self.sandbox, self.config = sandbox, asked["process"]
        self.tag = asked.get("tag")
        size = (asked.get("pty") or {}).get("size")
        self.listeners, self.lock = [], threading.Lock()
        self.ended_at, self.end, self.over = None, None, threading.Event()
        argv = ["/bin/sh", "-c", 'exec "$@"', "--", self.config["cmd"],
                *self.config.get("args", [])]
        uid, gid, _ = user
        self.process = sandbox.box.spawn(
            argv, cwd, env, uid, gid, stdin=asked.get("stdin", True),
            terminal=(size["cols"], size["rows"]) if size else None, session=False)
        self.pid = self.process.pid
        self.stdin_lock = threading.Lock()

    def begin(self):
        streams = [("pty", self.process.terminal, 16384)] if self.process.terminal is not None \
            else [("stdout", self.process.stdout, 32768), ("stderr", self.process.stderr, 32768)]
        pumps = [threading.Thread(target=self.pump, args=stream, daemon=True)
                 for stream in streams]
        for pump in pumps:
            pump.start()
        threading.Thread(target=self.watch_end, args=(pumps,), daemon=True).start()

    def pump(self, channel, fd, largest):
        largest = min(largest, max(1, self.sandbox.fake.settings["eventBytes"]))
        try:
            while True:
                data = os.read(fd, 16384 if channel == "pty" else 32768)
                if not data:
                    break
                for at in range(0, len(data), largest):
                    piece = base64.b64encode(data[at:at + largest]).decode()
                    self.tell({"data": {channel: piece}})
        except OSError:
            pass
        if channel != "pty":
            os.close(fd)

    def watch_end(self, pumps):
        self.process.ended.wait()
        if self.process.terminal is not None:
            pumps[0].join(0.5)  # background processes may keep a terminal open
        else:
            for pump in pumps:
                pump.join()
        code = self.process.code
        if code < 0:
            names = {-9: "killed", -15: "terminated", -1: "hangup", -2: "interrupt"}
            status = "signal: " + names.get(code, str(-code))
            end = {"exitCode": -1, "status": status, "error": status}
        else:
            end = {"exited": True, "status": f"exit status {code}"}
            if code:
                end = {"exitCode": code, **end, "error": f"exit status {code}"}
        with self.lock:
            self.end, self.ended_at = end, time.time()
        self.over.set()
        self.tell({"end": end})
        self.close_input()
        if self.process.terminal is not None:
            os.close(self.process.terminal)

    def tell(self, event):
        with self.lock:
            listeners = list(self.listeners)
        for listener in listeners:
            while listener in self.listeners:
                try:
                    listener.put(event, timeout=0.2)
                    break
                except queue.Full:
                    continue

    def listen(self):
        """A queue that gets every event from now on."""
        listener = queue.Queue(maxsize=16)
        with self.lock:
            if self.end:
                listener.put({"end": self.end})
            else:
                self.listeners.append(listener)
        return listener

    def leave(self, listener):
        with self.lock:
            if listener in self.listeners:
                self.listeners.remove(listener)

    def write(self, data, channel):
        fd = self.process.terminal if channel == "pty" else self.process.stdin
        with self.stdin_lock:
            fd = self.process.terminal if channel == "pty" else self.process.stdin
            if fd is None or self.end:
                raise RpcError("internal", "error writing to stdin: stdin not enabled or closed")
            try:
                while data:
                    data = data[os.write(fd, data):]
            except OSError as problem:
                raise RpcError("internal", f"error writing to stdin: {problem.strerror}")

    def close_input(self):
        with self.stdin_lock:
            if self.process.stdin is not None:
                os.close(self.process.stdin)
                self.process.stdin = None


class Envd:
    def __init__(self, sandbox):
        self.sandbox = sandbox
        self.commands = collections.OrderedDict()
        self.metadata, self.watchers = {}, {}
        self.lock = threading.Lock()

    def forget(self):
        """After a cold boot."""
        self.commands.clear()

    @property
    def box(self):
        return self.sandbox.box

    def handle(self, exchange):
        if exchange.route == "/health":
            return exchange.reply(204, headers={"Cache-Control": "no-store"})
        if exchange.route == "/files" and "signature" in exchange.query:
            self.check_signature(exchange)
        elif self.sandbox.token and exchange.headers.get("X-Access-Token") != self.sandbox.token:
            if exchange.route == "/files":
                raise rest_error(401, "missing signature query parameter"
                                 if not exchange.headers.get("X-Access-Token") else UNAUTHORIZED)
            raise rest_error(401, UNAUTHORIZED)
        if exchange.route == "/files" and exchange.command in ("GET", "HEAD"):
            return self.download(exchange)
        if exchange.route == "/files" and exchange.command == "POST":
            return self.upload(exchange)
        if exchange.route == "/metrics":
            return self.metrics(exchange)
        if exchange.route == "/envs":
            return exchange.reply(200, self.sandbox.env)
        method = exchange.route.lstrip("/")
        if exchange.command == "POST" and re.fullmatch(r"(process\.Process|filesystem\.Filesystem)"
                                                       r"/\w+", method):
            return self.rpc(exchange, method)
        raise base.Refusal(404, b"404 page not found\n", content_type="text/plain")

    # Connect

    def rpc(self, exchange, method):
        kind = exchange.headers.get("Content-Type", "").split(";")[0].strip()
        streams = method in STREAMS
        if kind != ("application/connect+json" if streams else "application/json"):
            raise base.Refusal(415, b"", {"Accept-Post": "application/json"})
        call = getattr(self, "rpc_" + method.split("/")[1], None)
        try:
            if not call:
                raise RpcError("unimplemented", f"{method} is not implemented")
            asked = self.message(exchange, streams)
        except RpcError as error:
            return self.refuse(exchange, error, streams)
        if streams:
            return self.stream(exchange, call, asked)
        try:
            answer = call(exchange, asked)
        except RpcError as error:
            return self.refuse(exchange, error, False)
        exchange.reply(200, answer, {"Accept-Encoding": "gzip"})

    def message(self, exchange, streams):
        body = exchange.body
        if streams:
            if len(body) < 5 or body[0] or struct.unpack(">I", body[1:5])[0] != len(body) - 5:
                raise RpcError("invalid_argument", "protocol error: not one enveloped message")
            body = body[5:]
        try:
            asked = json.loads(body)
        except ValueError:
            raise RpcError("invalid_argument", "unmarshal message: not JSON")
        if not isinstance(asked, dict):
            raise RpcError("invalid_argument", "unmarshal message: not an object")
        return asked

    def refuse(self, exchange, error, streams):
        if not streams:
            return exchange.reply(STATUS_OF[error.code], error.told())
        exchange.begin(200, content_type="application/connect+json")
        self.send(exchange, {"error": error.told()}, 2)
        exchange.finish_body()

    def send(self, exchange, message, flags=0):
        if exchange.fault.get("extra"):
            message = base.with_unknown(message)
        data = json.dumps(message).encode()
        exchange.write(struct.pack(">BI", flags, len(data)) + data)

    def stream(self, exchange, call, asked):
        epoch = self.sandbox.epoch
        self.opened = False

        def opened():
            exchange.begin(200, {"Connect-Accept-Encoding": "gzip"}, "application/connect+json")

        try:
            last = call(exchange, asked, opened, epoch)
        except RpcError as error:
            if not exchange.begun:
                return self.refuse(exchange, error, True)
            last = {"error": error.told()}
        self.send(exchange, last or {}, 2)
        exchange.finish_body()

    def user(self, exchange, name=None):
        if name is None:
            header = exchange.headers.get("Authorization", "")
            name = base64.b64decode(header[6:]).decode().split(":")[0] \
                if header.startswith("Basic ") else "user"
        found = self.box.call("user", name or "user")
        if not found:
            raise RpcError("unauthenticated", f"invalid username: '{name}'")
        return found

    def path(self, given, user):
        home = user[2]
        if given == "~" or given.startswith("~/"):
            given = home + given[1:]
        return os.path.normpath(os.path.join(home, given or ""))

    # Processes

    def rpc_Start(self, exchange, asked, opened, epoch):
        config = asked.get("process") or {}
        if not config.get("cmd"):
            raise RpcError("invalid_argument", "process.cmd is missing")
        user = self.user(exchange)
        name = self.name_of(user)
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": user[2],
               "USER": name, "LOGNAME": name, **self.sandbox.env, **config.get("envs", {})}
        cwd = self.path(config.get("cwd", ""), user)
        try:
            told = self.box.call("entry", cwd)
            is_directory = stat.S_ISDIR(told["target"] or told["mode"])
        except OSError:
            is_directory = False
        if not is_directory:
            raise RpcError("invalid_argument", f"cwd '{cwd}' does not exist")
        try:
            command = Command(self.sandbox, asked, user, env, cwd)
        except (OSError, ValueError) as problem:
            raise RpcError("invalid_argument", f"error starting process: {problem}")
        listener = command.listen()
        with self.lock:
            self.commands[command.pid] = command
        command.begin()
        limit = int(exchange.headers.get("Connect-Timeout-Ms") or 0)
        deadline = time.monotonic() + limit / 1000 if limit else None
        if deadline:
            # It outlives the connection, so the clock must not be the stream's.
            threading.Thread(target=self.kill_at, args=(command, deadline), daemon=True).start()
        return self.events(exchange, command, listener, opened, epoch, deadline)

    def name_of(self, user):
        return "root" if user[0] == 0 else self.box.user

    @staticmethod
    def kill_at(command, deadline):
        if not command.process.ended.wait(max(0, deadline - time.monotonic())):
            command.process.signal(signal.SIGKILL)

    def rpc_Connect(self, exchange, asked, opened, epoch):
        command = self.chosen(asked)
        limit = int(exchange.headers.get("Connect-Timeout-Ms") or 0)
        deadline = time.monotonic() + limit / 1000 if limit else None
        return self.events(exchange, command, command.listen(), opened, epoch, deadline)

    def events(self, exchange, command, listener, opened, epoch, deadline):
        interval = float(exchange.headers.get("Keepalive-Ping-Interval") or 90)
        exchange.over = command.over
        try:
            opened()
            self.send(exchange, {"event": {"start": {"pid": command.pid}}})
            if exchange.fault.get("extra"):
                self.send(exchange, {"event": {"newKindOfEvent": {"a": 1}}})
            quiet_until = time.monotonic() + interval
            while True:
                if self.sandbox.epoch != epoch:
                    raise base.Cut
                now = time.monotonic()
                if deadline and now > deadline and self.sandbox.fake.settings["deadlineError"] or \
                        deadline and now > deadline + 0.3:
                    raise RpcError("deadline_exceeded", "context deadline exceeded")
                try:
                    event = listener.get(timeout=0.02)
                except queue.Empty:
                    if exchange.gone():
                        raise BrokenPipeError
                    if now > quiet_until:
                        self.send(exchange, {"event": {"keepalive": {}}})
                        quiet_until = now + interval
                    continue
                if "end" in event and self.sandbox.epoch != epoch:
                    raise base.Cut
                if "end" in event and deadline and now > deadline and \
                        self.sandbox.fake.settings["deadlineError"]:
                    raise RpcError("deadline_exceeded", "context deadline exceeded")
                self.send(exchange, {"event": event})
                quiet_until = time.monotonic() + interval
                if "end" in event:
                    return {}
        finally:
            command.leave(listener)

    def chosen(self, asked):
        selector = asked.get("process") or {}
        with self.lock:
            found = list(self.commands.values())
        for command in found:
            if command.ended_at and \
                    time.time() - command.ended_at > self.sandbox.fake.settings["keptSeconds"]:
                continue
            if "pid" in selector and command.pid == int(selector["pid"]) or \
                    "tag" in selector and command.tag == selector["tag"]:
                return command
        if "tag" in selector:
            raise RpcError("not_found", f"process with tag {selector['tag']} not found")
        raise RpcError("not_found", f"process with pid {selector.get('pid')} not found")

    def alive(self, asked):
        command = self.chosen(asked)
        if command.process.ended.is_set():
            raise RpcError("not_found", f"process with pid {command.pid} not found")
        return command

    def rpc_List(self, exchange, asked):
        told = []
        for command in list(self.commands.values()):
            if command.process.ended.is_set():
                continue
            entry = {"config": command.config, "pid": command.pid}
            if command.tag:
                entry["tag"] = command.tag
            told.append(entry)
        return {"processes": told} if told else {}

    def rpc_SendInput(self, exchange, asked):
        command = self.alive(asked)
        given = asked.get("input") or {}
        channel = "pty" if "pty" in given else "stdin"
        command.write(base64.b64decode(given.get(channel, "")), channel)
        return {}

    def rpc_CloseStdin(self, exchange, asked):
        command = self.alive(asked)
        if command.process.terminal is not None:
            raise RpcError("invalid_argument", "cannot close stdin of a PTY; send EOT")
        command.close_input()
        return {}

    def rpc_SendSignal(self, exchange, asked):
        command = self.alive(asked)
        names = {"SIGNAL_SIGKILL": signal.SIGKILL, "SIGNAL_SIGTERM": signal.SIGTERM, 9: 9, 15: 15}
        if asked.get("signal") not in names:
            raise RpcError("unimplemented", f"invalid signal: {asked.get('signal')}")
        command.process.signal(names[asked["signal"]])
        return {}

    def rpc_Update(self, exchange, asked):
        command = self.alive(asked)
        size = (asked.get("pty") or {}).get("size")
        if size and command.process.terminal is None:
            raise RpcError("internal", "tty not assigned to process")
        if size:
            command.process.resize(size.get("cols", 80), size.get("rows", 24))
        return {}

    # Files by RPC

    def entry(self, told):
        mode = told["target"] or told["mode"]
        link = told["link"] is not None
        kind = {stat.S_IFDIR: "FILE_TYPE_DIRECTORY", stat.S_IFREG: "FILE_TYPE_FILE"}
        bits = stat.S_IMODE(told["mode"])
        text = "L" if link else "d" if stat.S_ISDIR(mode) else "-"
        moment = datetime.datetime.fromtimestamp(told["mtime"] / 1e9, datetime.timezone.utc)
        made = {"name": told["name"], "path": told["path"],
                "permissions": text + stat.filemode(told["mode"])[1:], "owner": told["owner"],
                "group": told["group"],
                "modifiedTime": moment.strftime("%Y-%m-%dT%H:%M:%S.%f") + "Z"}
        if not link or told["target"]:
            made["type"] = kind.get(stat.S_IFMT(mode), "FILE_TYPE_UNSPECIFIED")
            if made["type"] == "FILE_TYPE_UNSPECIFIED":
                del made["type"]
        if told["size"]:
            made["size"] = str(told["size"])
        if bits & 0o777:
            made["mode"] = bits & 0o777
        if link:
            made["symlinkTarget"] = os.path.normpath(
                os.path.join(os.path.dirname(told["path"]), told["link"]))
        if self.metadata.get(told["path"]):
            made["metadata"] = self.metadata[told["path"]]
        return made

    def asked_path(self, exchange, asked, member="path"):
        user = self.user(exchange)
        return self.path(asked.get(member, ""), user), user

    def rpc_Stat(self, exchange, asked):
        path, _ = self.asked_path(exchange, asked)
        try:
            return {"entry": self.entry(self.box.call("entry", path))}
        except (FileNotFoundError, NotADirectoryError) as problem:
            text = (problem.strerror or "").lower()
            raise RpcError("not_found", f"file not found: lstat {path}: {text}")

    def rpc_ListDir(self, exchange, asked):
        path, _ = self.asked_path(exchange, asked)
        depth = asked.get("depth", 0) or 1
        try:
            told = self.box.call("entry", path)
            if not stat.S_ISDIR(told["target"] or told["mode"]):
                raise RpcError("invalid_argument", f"path is not a directory: {path}")
            entries = [self.entry(e) for e in self.box.call("list", path, depth)]
        except (FileNotFoundError, NotADirectoryError):
            raise RpcError("not_found", f"path not found: stat {path}: no such file or directory")
        except OSError as problem:
            raise RpcError("internal", f"error reading directory: {problem.strerror}")
        return {"entries": entries} if entries else {}

    def rpc_MakeDir(self, exchange, asked):
        path, user = self.asked_path(exchange, asked)
        try:
            told = self.box.call("entry", path)
        except FileNotFoundError:
            told = None
        except NotADirectoryError:
            raise RpcError("invalid_argument", f"path is a file: {path}")
        if told and stat.S_ISDIR(told["target"] or told["mode"]):
            raise RpcError("already_exists", f"directory already exists: {path}")
        if told:
            raise RpcError("invalid_argument",
                           f"path already exists but it is not a directory: {path}")
        try:
            self.box.call("make_parents", path, user[0], user[1])
        except OSError as problem:
            raise RpcError("internal", f"error creating directory: {problem.strerror}")
        return {"entry": self.entry(self.box.call("entry", path))}

    def rpc_Move(self, exchange, asked):
        source, user = self.asked_path(exchange, asked, "source")
        destination, _ = self.asked_path(exchange, asked, "destination")
        try:
            self.box.call("entry", source)
        except OSError:
            raise RpcError("not_found", f"source file not found: rename {source} {destination}: "
                                        "no such file or directory")
        try:
            self.box.call("make_parents", os.path.dirname(destination), user[0], user[1])
            self.box.call("move", source, destination)
        except OSError as problem:
            raise RpcError("internal", f"error renaming: {problem.strerror}")
        return {"entry": self.entry(self.box.call("entry", destination))}

    def rpc_Remove(self, exchange, asked):
        path, _ = self.asked_path(exchange, asked)
        try:
            self.box.call("remove", path)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as problem:
            raise RpcError("internal", f"error removing file or directory: {problem.strerror}")
        return {}

    # Changes of files

    def changes(self, exchange, asked):
        path, _ = self.asked_path(exchange, asked)
        try:
            return path, self.box.watch(path, bool(asked.get("recursive")))
        except FileNotFoundError:
            raise RpcError("not_found", f"path {path} not found: stat {path}: "
                                        "no such file or directory")
        except OSError as problem:
            raise RpcError("invalid_argument", f"path {path} not a directory: {problem.strerror}")

    def change(self, line, asked):
        told = json.loads(line)
        event = {"name": told["name"], "type": "EVENT_TYPE_" + told["kind"].upper()}
        if asked.get("includeEntry"):
            try:
                event["entry"] = self.entry(self.box.call("entry", told["path"]))
            except OSError:
                pass
        return event

    def rpc_WatchDir(self, exchange, asked, opened, epoch):
        _, fd = self.changes(exchange, asked)
        interval = float(exchange.headers.get("Keepalive-Ping-Interval") or 90)
        try:
            opened()
            self.send(exchange, {"start": {}})
            rest, quiet_until = b"", time.monotonic() + interval
            while True:
                if self.sandbox.epoch != epoch:
                    raise base.Cut
                if exchange.gone():
                    raise BrokenPipeError
                if time.monotonic() > quiet_until:
                    self.send(exchange, {"keepalive": {}})
                    quiet_until = time.monotonic() + interval
                if not select.select([fd], [], [], 0.02)[0]:
                    continue
                data = os.read(fd, 65536)
                if not data:
                    raise base.Cut
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    self.send(exchange, {"filesystem": self.change(line, asked)})
        finally:
            os.close(fd)

    def rpc_CreateWatcher(self, exchange, asked):
        _, fd = self.changes(exchange, asked)
        name = "w" + os.urandom(8).hex()
        self.watchers[name] = (fd, asked)
        return {"watcherId": name}

    def rpc_GetWatcherEvents(self, exchange, asked):
        fd, how = self.watchers.get(asked.get("watcherId"), (None, None))
        if fd is None:
            raise RpcError("not_found", f"watcher with id {asked.get('watcherId')} not found")
        data = b""
        while select.select([fd], [], [], 0)[0]:
            data += os.read(fd, 65536)
        events = [self.change(line, how) for line in data.splitlines()]
        return {"events": events} if events else {}

    def rpc_RemoveWatcher(self, exchange, asked):
        fd, _ = self.watchers.pop(asked.get("watcherId"), (None, None))
        if fd is None:
            raise RpcError("not_found", f"watcher with id {asked.get('watcherId')} not found")
        os.close(fd)
        return {}

    # Files by HTTP

    def check_signature(self, exchange):
        query = {key: values[0] for key, values in exchange.query.items()}
        operation = "read" if exchange.command == "GET" else "write"
        text = ":".join([query.get("path", ""), operation, query.get("username", ""),
                         self.sandbox.token or ""])
        if "signature_expiration" in query:
            text += ":" + query["signature_expiration"]
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip("=")
        if query["signature"] != "v1_" + digest:
            raise rest_error(401, "invalid signature")
        if int(query.get("signature_expiration") or time.time() + 1) < time.time():
            raise rest_error(401, "signature is already expired")

    def rest_user(self, exchange):
        name = exchange.query.get("username", ["user"])[0]
        try:
            return self.user(exchange, name or "user")
        except RpcError:
            raise rest_error(401, f"error looking up user '{name}': unknown user {name}")

    def download(self, exchange):
        user = self.rest_user(exchange)
        path = self.path(exchange.query.get("path", [""])[0], user)
        try:
            told = self.box.call("entry", path)
            if stat.S_ISDIR(told["target"] or told["mode"]):
                raise rest_error(400, f"path '{path}' is a directory")
            file = open(self.box.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
        except OSError:
            raise rest_error(404, f"path '{path}' does not exist")
        with file:
            size = os.fstat(file.fileno()).st_size
            name = os.path.basename(path).encode().decode("latin-1")
            headers = {"Vary": "Accept-Encoding", "Content-Disposition": f"inline; filename={name}",
                       "Last-Modified": exchange.date_time_string(int(told["mtime"] / 1e9))}
            kind = "text/plain; charset=utf-8" if path.endswith(".txt") \
                else "application/octet-stream"
            if re.search(r"\bgzip\b", exchange.headers.get("Accept-Encoding", "")):
                return self.download_gzip(exchange, file, headers, kind)
            asked = re.fullmatch(r"bytes=(\d+)-(\d*)", exchange.headers.get("Range", ""))
            first, last, status = 0, size - 1, 200
            if asked:
                first = int(asked[1])
                last = min(size - 1, int(asked[2] or size - 1))
                if first >= size:
                    raise base.Refusal(416, b"", {"Content-Range": f"bytes */{size}"})
                status = 206
                headers["Content-Range"] = f"bytes {first}-{last}/{size}"
            headers["Content-Length"] = str(last - first + 1)
            headers["Accept-Ranges"] = "bytes"
            exchange.begin(status, headers, kind)
            if exchange.command == "HEAD":
                return
            file.seek(first)
            left = last - first + 1
            while left > 0:
                data = file.read(min(left, 65536))
                if not data:
                    raise base.Cut
                exchange.write(data)
                left -= len(data)

    @staticmethod
    def download_gzip(exchange, file, headers, kind):
        packer = zlib.compressobj(6, zlib.DEFLATED, 31)
        exchange.begin(200, {**headers, "Content-Encoding": "gzip"}, kind)
        while data := file.read(65536):
            if packed := packer.compress(data):
                exchange.write(packed)
        exchange.write(packer.flush())
        exchange.finish_body()

    def upload(self, exchange):
        user = self.rest_user(exchange)
        kind = exchange.headers.get("Content-Type", "")
        body = exchange.body
        if exchange.headers.get("Content-Encoding") == "gzip":
            body = zlib.decompress(body, 31)
        given = exchange.query.get("path", [None])[0]
        if kind.startswith("multipart/form-data"):
            parts = base.multipart(body, kind)
        elif kind.startswith("application/octet-stream"):
            if not given:
                raise rest_error(400, "path is required")
            parts = [("file", given, body)]
        else:
            raise rest_error(400, f"unsupported content type: {kind}")
        metadata = {key[11:].lower(): value for key, value in exchange.headers.items()
                    if key.lower().startswith("x-metadata-")}
        told = []
        for name, filename, data in parts:
            if name != "file":
                continue
            path = self.path(given or filename or "", user)
            self.store(path, data, user)
            self.metadata[path] = metadata
            told.append({"name": os.path.basename(path), "path": path, "type": "file",
                         **({"metadata": metadata} if metadata else {})})
        exchange.reply(200, told)

    def store(self, path, data, user):
        try:
            self.box.call("make_parents", os.path.dirname(path), user[0], user[1])
            self.box.write(path, data, user[0], user[1])
        except IsADirectoryError:
            raise rest_error(400, f"path is a directory: {path}")
        except NotADirectoryError:
            raise rest_error(400, f"path is a file: {path}")
        except OSError as problem:
            raise rest_error(507 if problem.errno == 28 else 500,
                             f"error opening file: {problem.strerror}")

    def metrics(self, exchange):
        used, total, cache = self.box.memory()
        disk_total, disk_used = self.box.call("disk")
        exchange.reply(200, {"ts": int(time.time()), "cpu_count": 2, "cpu_used_pct": 3.25,
                             "mem_total": total, "mem_used": used, "mem_cache": cache,
                             "disk_used": disk_used, "disk_total": disk_total})
