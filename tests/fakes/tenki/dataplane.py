# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tenki's data plane: commands and files in a session's sandbox."""
import errno
import os
import queue
import signal
import stat
import threading
import time

HOME = "/home/tenki"
SIGNALS = {1: signal.SIGTERM, 2: signal.SIGKILL, 3: signal.SIGINT, 4: signal.SIGHUP,
           5: signal.SIGUSR1, 6: signal.SIGUSR2}
WINDOW = 262144
LARGEST_MESSAGE = 4 * 1024 * 1024


class Failure(Exception):
    """The call ends with this gRPC status."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code, self.message = code, message


class DataPlane:
    def __init__(self, fake):
        self.fake = fake
        self.methods = {
            "Run": ("RunIn", "RunOut", True, True, DataPlane.run),
            "ReadFile": ("PathRequest", "ReadAnswer", False, False, DataPlane.read),
            "WriteFile": ("WriteRequest", "WriteAnswer", False, False, DataPlane.write),
            "ReadFileStream": ("ReadStreamRequest", "ReadStreamAnswer", False, True,
                               DataPlane.read_stream),
            "WriteFileStream": ("WriteIn", "WriteStreamAnswer", True, False,
                                DataPlane.write_stream),
            "Stat": ("PathRequest", "StatAnswer", False, False, DataPlane.stat),
            "Mkdir": ("MkdirRequest", "MkdirAnswer", False, False, DataPlane.mkdir),
            "Remove": ("RemoveRequest", "RemoveAnswer", False, False, DataPlane.remove),
            "List": ("DirectoryRequest", "DirectoryAnswer", False, False, DataPlane.list)}

    def session(self, asked, headers):
        """The session of a request, when its credential is good and it runs."""
        session = self.fake.session(asked)
        expires = session.certificates.get(headers.get("x-tenki-session-cert", ""))
        state = {4: "PAUSED", 7: "PAUSING", 8: "RESUMING", 5: "TERMINATING",
                 6: "TERMINATED"}.get(session.state)
        if state:
            raise Failure(9, f"session is not running (state={state})")
        if expires is None or expires < time.time():
            raise Failure(16, "session certificate is missing, unknown or expired")
        if session.route() != 1:
            raise Failure(14, "route is not ready")
        session.active = time.time()
        return session

    @staticmethod
    def path(given):
        text = os.fsdecode(given)
        return os.path.normpath(os.path.join(HOME, text))

    @staticmethod
    def refused(problem, what):
        codes = {errno.ENOENT: 5, errno.EACCES: 7, errno.EPERM: 7, errno.EEXIST: 6,
                 errno.ENOSPC: 8}
        return Failure(codes.get(problem.errno, 9),
                       f"{what}: {(problem.strerror or 'failed').lower()}")

    # Files

    def read(self, asked, headers, context):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        try:
            data = session.box.read(path)
        except OSError as problem:
            raise self.refused(problem, f"open {path}")
        if len(data) > LARGEST_MESSAGE - 1024:
            raise Failure(8, "message is larger than 4 MiB, use ReadFileStream")
        return {"path": path, "content": data}

    def write(self, asked, headers, context):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        data = asked.get("content", b"")
        try:
            session.box.call("make_parents", os.path.dirname(path), session.box.uid,
                             session.box.uid)
            session.box.write(path, data, session.box.uid, session.box.uid)
        except OSError as problem:
            raise self.refused(problem, f"open {path}")
        return {"path": path, "size_bytes": len(data)}

    def read_stream(self, asked, headers, context, fault):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        size = min(asked.get("chunk_bytes", 0) or 65536, 1024 * 1024)
        sent = 0
        try:
            file = open(session.box.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb")
            if stat.S_ISDIR(os.fstat(file.fileno()).st_mode):
                raise IsADirectoryError(errno.EISDIR, "Is a directory")
        except OSError as problem:
            raise self.refused(problem, f"open {path}")
        with file:
            total = os.fstat(file.fileno()).st_size
            file.seek(asked.get("offset", 0))
            left = asked.get("length", 0) or total
            while left > 0 and (data := file.read(min(size, left))):
                left -= len(data)
                if "cutAfter" in fault and sent + len(data) > fault["cutAfter"]:
                    yield {"data": data[:fault["cutAfter"] - sent], "total_size": total}
                    raise Failure(14, "stream broken")
                sent += len(data)
                yield {"data": data, "total_size": total}
        yield {"eof": True, "total_size": total}

    def write_stream(self, incoming, headers, context):
        first = next(incoming, {})
        start = first.get("start")
        if not start:
            raise Failure(3, "the first frame must be start")
        session, path = self.session(start, headers), self.path(start.get("path", b""))
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if start.get("truncate") else 0)
        written, uid = 0, session.box.uid
        try:
            session.box.call("make_parents", os.path.dirname(path), uid, uid)
            fd = session.box.open(path, flags, start.get("mode") or 0o644, uid, uid)
            with open(fd, "wb") as file:
                for frame in incoming:
                    file.write(frame.get("data", b""))
                    written += len(frame.get("data", b""))
                if start.get("mode"):
                    os.fchmod(file.fileno(), start["mode"])
        except OSError as problem:
            raise self.refused(problem, f"open {path}")
        return {"bytes_written": written, "path": path}

    def stat(self, asked, headers, context):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        try:
            told = session.box.call("entry", path)
        except (FileNotFoundError, NotADirectoryError):
            return {}
        mode = told["mode"] if told["target"] is None else told["target"]
        result = {"exists": True, "size": told["size"], "mode": stat.S_IMODE(mode),
                  "modified_unix_ns": told["mtime"], "is_dir": stat.S_ISDIR(mode),
                  "is_symlink": told["link"] is not None}
        if told["link"] is not None:
            result["symlink_target"] = told["link"]
        return result

    def mkdir(self, asked, headers, context):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        mode = asked.get("mode") or 0o755
        try:
            if asked.get("recursive"):
                session.box.call("make_parents", path, session.box.uid, session.box.uid, mode)
            else:
                session.box.call("entry", os.path.dirname(path))
                if not session.box.call("make_parents", path, session.box.uid, session.box.uid,
                                        mode):
                    raise FileExistsError(errno.EEXIST, "File exists")
            told = session.box.call("entry", path)
        except OSError as problem:
            raise self.refused(problem, f"mkdir {path}")
        return {"modified_unix_ns": told["mtime"]}

    def remove(self, asked, headers, context):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        try:
            told = session.box.call("entry", path)
            count = 1
            if stat.S_ISDIR(told["mode"]) and asked.get("recursive"):
                count += len(session.box.call("list", path, 64))
            session.box.call("remove", path, bool(asked.get("recursive")))
        except OSError as problem:
            raise self.refused(problem, f"remove {path}")
        return {"removed": True, "entries_removed": count}

    def list(self, asked, headers, context):
        session, path = self.session(asked, headers), self.path(asked.get("path", b""))
        try:
            found = session.box.call("list", path)
        except OSError as problem:
            raise self.refused(problem, f"open {path}")
        entries = []
        for told in found:
            if told["name"].startswith(".") and not asked.get("include_hidden"):
                continue
            mode = told["mode"] if told["target"] is None else told["target"]
            entries.append({"name": told["name"], "is_dir": stat.S_ISDIR(mode),
                            "size": told["size"], "mode": stat.S_IMODE(mode),
                            "modified_unix_ns": told["mtime"]})
        return {"entries": entries}

    # Commands

    def run(self, incoming, headers, context, fault):
        start = next(incoming, {}).get("start")
        if not start:
            raise Failure(3, "the first frame must be start")
        session = self.session(start, headers)
        if not start.get("cmd"):
            raise Failure(3, "validation error: cmd: at least one item")
        began, box = time.monotonic(), session.box
        cwd = self.path(start.get("cwd", "").encode())
        env = {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": HOME,
               "USER": "tenki", "SHELL": "/bin/bash", "LANG": "C.UTF-8",
               **session.asked.get("env", {}), **start.get("env", {})}
        try:
            told = box.call("entry", cwd)
        except OSError:
            raise Failure(5, f"chdir {cwd}: no such file or directory")
        if not stat.S_ISDIR(told["target"] or told["mode"]):
            raise Failure(9, f"chdir {cwd}: not a directory")
        try:
            process = box.spawn([os.fsdecode(one) for one in start["cmd"]], cwd, env,
                                uid=0 if start.get("privileged") else None,
                                terminal=(80, 24) if start.get("pty") else None)
        except OSError as problem:
            name = errno.errorcode.get(problem.errno, "EIO")
            yield {"exit": {"exit_code": -1, "duration_ms": self.since(began), "errno":
                            problem.errno, "reason":
                            f"exec failed: spawn {os.fsdecode(start['cmd'][0])} {name}"}}
            return
        yield from Run(self, session, process, start, incoming, context, fault, began).frames()

    @staticmethod
    def since(began):
        return int((time.monotonic() - began) * 1000)


class Run:
    """One command: what comes out of it goes into one queue, in the order of its arrival."""

    def __init__(self, plane, session, process, start, incoming, context, fault, began):
        self.plane, self.session, self.process, self.start = plane, session, process, start
        self.incoming, self.context, self.fault, self.began = incoming, context, fault, began
        self.out = queue.Queue(maxsize=16)
        self.timed_out = False
        self.done = threading.Event()

    def put(self, frame):
        while not self.done.is_set():
            try:
                return self.out.put(frame, timeout=0.1)
            except queue.Full:
                continue

    def pump(self, channel, fd):
        size = max(1, self.plane.fake.settings["eventBytes"])
        try:
            while data := os.read(fd, 65536):
                for at in range(0, len(data), size):
                    self.put({channel: data[at:at + size]})
        except OSError:
            pass  # of a terminal whose other end is closed
        os.close(fd)

    def feed(self):
        fd = self.process.stdin if self.process.terminal is None \
            else os.dup(self.process.terminal)
        if not self.start.get("stream_stdin") and self.process.terminal is None:
            os.close(fd)
            fd = None
        try:
            for frame in self.incoming:
                if "signal" in frame:
                    number = SIGNALS.get(frame["signal"].get("signal", 0))
                    if number:
                        self.process.signal(number, group=True)
                data = frame.get("stdin")
                if data and fd is not None:
                    self.put({"flow": {"stdin_grant_bytes": len(data)}})
                    try:
                        while data:
                            data = data[os.write(fd, data):]
                    except OSError:
                        pass
                if frame.get("stdin_close") and fd is not None:
                    os.close(fd)
                    fd = None
        except Exception:  # the client is gone, or sent what cannot be read
            pass
        if fd is not None:
            os.close(fd)

    def wait(self, pumps):
        limit = self.start.get("timeout_ms", 0) / 1000
        if self.process.wait(limit or None) is None and limit:
            self.timed_out = True
            self.process.signal(signal.SIGKILL, group=True)
            self.process.ended.wait()
        for pump in pumps:
            pump.join(0.3 if self.process.terminal is not None or self.timed_out else None)
        self.put(None)

    def exit(self):
        code = self.process.code
        told = {"exit_code": code, "duration_ms": self.plane.since(self.began), "reason": "exit"}
        if code < 0:
            told.update(exit_code=128 - code, reason="signaled",
                        signal=signal.Signals(-code).name[3:])
        if self.timed_out:
            told.update(exit_code=137, signal="KILL", timed_out=True, reason="timeout")
        return self.fault.get("exit", told)

    def frames(self):
        epoch, sent = self.session.epoch, 0
        streams = [("stdout", self.process.terminal)] if self.process.terminal is not None \
            else [("stdout", self.process.stdout), ("stderr", self.process.stderr)]
        pumps = [threading.Thread(target=self.pump, args=one, daemon=True) for one in streams]
        for pump in pumps:
            pump.start()
        threading.Thread(target=self.feed, daemon=True).start()
        threading.Thread(target=self.wait, args=(pumps,), daemon=True).start()
        try:
            yield {"started": {"pid": self.process.pid, "stdin_window_bytes": WINDOW}}
            while True:
                if self.session.epoch != epoch:
                    raise Failure(14, "session was paused or terminated")
                if not self.context.is_active():
                    return
                try:
                    frame = self.out.get(timeout=0.05)
                except queue.Empty:
                    continue
                if frame is None and self.session.epoch != epoch:
                    raise Failure(14, "session was paused or terminated")
                if frame is None:
                    if not self.fault.get("noExit"):
                        yield {"exit": self.exit()}
                    return
                data = frame.get("stdout") or frame.get("stderr") or b""
                sent += len(data)
                if "cutAfter" in self.fault and sent > self.fault["cutAfter"]:
                    raise Failure(14, "stream broken")
                yield frame
        finally:
            self.done.set()
            if not self.process.ended.is_set() and self.session.epoch == epoch and \
                    self.plane.fake.settings["killOnCancel"]:
                self.process.signal(signal.SIGKILL, group=True)
