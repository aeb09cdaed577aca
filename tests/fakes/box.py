# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake sandbox: its own file tree, processes and users, by bubblewrap.

`/home/user`, `/workspace` and `/tmp` are real paths in it; the programs are this machine's, read
only. Started as root, commands run as the sandbox's user; else everything is one user.
"""
import json
import os
import queue
import shutil
import signal
import socket
import struct
import subprocess
import threading
from pathlib import Path

AGENT = Path(__file__).with_name("box_agent.py")
PYTHON = "/usr/bin/python3"


class BoxFailure(Exception):
    """The sandbox could not be made or does not answer: a fault of the fake, not a finding."""


def require():
    """Raises BoxFailure when this machine cannot run sandboxes."""
    for tool in (shutil.which("bwrap"), PYTHON):
        if not tool or not os.path.exists(tool):
            raise BoxFailure("the fake services need bubblewrap (bwrap) and /usr/bin/python3")


class Spawner(threading.Thread):
    """bwrap --die-with-parent ends with the thread that started it, so one thread starts all."""

    def __init__(self):
        super().__init__(daemon=True)
        self.work = queue.Queue()
        self.start()

    def run(self):
        while True:
            argv, fds, log, answer = self.work.get()
            try:
                answer.put(subprocess.Popen(argv, pass_fds=fds, stdin=subprocess.DEVNULL,
                                            stdout=log, stderr=log, start_new_session=True))
            except OSError as problem:
                answer.put(problem)

    def popen(self, argv, fds, log):
        answer = queue.Queue()
        self.work.put((argv, fds, log, answer))
        made = answer.get()
        if isinstance(made, OSError):
            raise BoxFailure(f"cannot start {argv[0]}: {made}")
        return made


SPAWNER = None


class Process:
    """A command in a box. Descriptors that are not used are None; the owner closes them."""

    def __init__(self, box, pid, stdin, stdout, stderr, terminal):
        self.box, self.pid = box, pid
        self.stdin, self.stdout, self.stderr, self.terminal = stdin, stdout, stderr, terminal
        self.ended = threading.Event()
        self.code = None  # exit code, or minus the signal's number

    def wait(self, timeout=None):
        return self.code if self.ended.wait(timeout) else None

    def signal(self, number, group=False):
        try:
            self.box.call("signal", self.pid, int(number), group)
            return True
        except ProcessLookupError:
            return False

    def resize(self, cols, rows):
        import fcntl
        import termios
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


class Box:
    def __init__(self, root, user="user", uid=1000, home=None, directories=(), extra=""):
        self.root, self.user, self.uid = Path(root), user, uid
        self.home = home or f"/home/{user}"
        self.extra = extra
        self.lock = threading.Lock()
        self.state = threading.Lock()
        self.bwrap = None
        self.processes, self.early = {}, {}
        self.frozen = False
        self.as_root = os.geteuid() == 0
        self.prepare(directories)

    def prepare(self, directories):
        rootfs = self.root
        for name in ("usr", "etc", "proc", "dev", "root", "run", "var/tmp", "tmp", "opt", "mnt"):
            (rootfs / name).mkdir(parents=True, exist_ok=True)
        for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
            if os.path.islink("/" + name):
                (rootfs / name).symlink_to(os.readlink("/" + name))
            elif os.path.isdir("/" + name):
                (rootfs / name).mkdir()
        for name in ("tmp", "var/tmp"):
            (rootfs / name).chmod(0o1777)
        etc = rootfs / "etc"
        (etc / "passwd").write_text(
            "root:x:0:0:root:/root:/bin/bash\n"
            f"{self.user}:x:{self.uid}:{self.uid}::{self.home}:/bin/bash\n"
            "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n")
        (etc / "group").write_text(f"root:x:0:\n{self.user}:x:{self.uid}:\nnogroup:x:65534:\n")
        (etc / "hosts").write_text("127.0.0.1 localhost\n")
        (etc / "hostname").write_text("sandbox\n")
        (etc / "shells").write_text("/usr/bin/bash\n/bin/bash\n/bin/sh\n")
        (etc / "profile").write_text("export PATH=${PATH:-/usr/local/bin:/usr/bin:/bin}\n")
        (etc / "os-release").write_bytes(Path("/etc/os-release").read_bytes())
        for path in (self.home, *directories):
            made = rootfs / path.lstrip("/")
            made.mkdir(parents=True, exist_ok=True)
            if self.as_root:
                os.chown(made, self.uid, self.uid)

    def copy_files(self, other):
        """Another's files as they are now; before start()."""
        for path in (self.home.lstrip("/"), "tmp", "var/tmp", "root", "opt", "mnt", "workspace"):
            if (other.root / path).is_dir():
                subprocess.run(["cp", "-a", "-T", str(other.root / path), str(self.root / path)],
                               check=True)

    def start(self):
        global SPAWNER
        require()
        if SPAWNER is None:
            SPAWNER = Spawner()
        near, far = socket.socketpair()
        events, told = socket.socketpair()
        code = os.memfd_create("agent")
        with open(os.dup(code), "w", encoding="utf-8") as file:
            file.write(AGENT.read_text() + "\n" + self.extra + "\n"
                       "threading.Thread(target=reap, daemon=True).start()\nserve()\n")
        argv = [shutil.which("bwrap"), "--die-with-parent", "--unshare-pid", "--unshare-ipc",
                "--unshare-uts", "--hostname", "sandbox", "--as-pid-1"]
        if not self.as_root:
            argv += ["--unshare-user", "--uid", str(self.uid), "--gid", str(self.uid)]
        argv += ["--bind", str(self.root), "/", "--ro-bind", "/usr", "/usr"]
        for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
            if os.path.isdir("/" + name) and not os.path.islink("/" + name):
                argv += ["--ro-bind", "/" + name, "/" + name]
        # Bound, not copied: some hundred links for each sandbox take a busy disk seconds.
        for name in ("alternatives", "ld.so.cache", "nsswitch.conf"):
            argv += ["--ro-bind-try", "/etc/" + name, "/etc/" + name]
        argv += ["--proc", "/proc", "--dev", "/dev", "--chdir", "/", "--clearenv",
                 "--setenv", "LANG", "C.UTF-8", PYTHON, "-I", "-S", f"/proc/self/fd/{code}",
                 str(far.fileno()), str(told.fileno())]
        self.log = open(str(self.root) + ".log", "ab")
        self.bwrap = SPAWNER.popen(argv, (far.fileno(), told.fileno(), code), self.log)
        os.close(code)
        far.close()
        told.close()
        self.control, self.frozen = near, False
        near.settimeout(60)
        threading.Thread(target=self.listen, args=(events,), daemon=True).start()
        self.call("user", self.user)  # answers once all of it runs

    def listen(self, events):
        """Until the sandbox ends; then every process of it has ended."""
        for line in events.makefile("rb"):
            event = json.loads(line)
            status = event["status"]
            code = -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
            with self.state:
                process = self.processes.pop(event["exit"], None)
                if not process:
                    self.early[event["exit"]] = code
            if process:
                process.code = code
                process.ended.set()
        with self.state:
            left, self.processes, self.early = list(self.processes.values()), {}, {}
        for process in left:
            process.code = -int(signal.SIGKILL)
            process.ended.set()
        events.close()

    def stop(self):
        """Ends every process; the files stay."""
        if not self.bwrap:
            return
        self.bwrap.kill()
        self.bwrap.wait()
        self.bwrap = None
        self.control.close()
        self.log.close()

    def destroy(self):
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)
        Path(str(self.root) + ".log").unlink(missing_ok=True)

    def trouble(self):
        try:
            return Path(str(self.root) + ".log").read_text(errors="replace")[-2000:]
        except OSError:
            return ""

    def ask(self, request, fds=()):
        data = json.dumps(request).encode()
        with self.lock:
            try:
                socket.send_fds(self.control, [struct.pack(">I", len(data))], list(fds))
                self.control.sendall(data)
                head, handed = b"", []
                while len(head) < 4:
                    piece, more, _, _ = socket.recv_fds(self.control, 4 - len(head), 8)
                    if not piece:
                        raise BoxFailure("the sandbox ended: " + self.trouble())
                    head += piece
                    handed += more
                body, length = b"", struct.unpack(">I", head)[0]
                while len(body) < length:
                    piece = self.control.recv(length - len(body))
                    if not piece:
                        raise BoxFailure("the sandbox ended: " + self.trouble())
                    body += piece
            except (OSError, AttributeError) as problem:
                raise BoxFailure(f"the sandbox does not answer: {problem} {self.trouble()}")
        answer = json.loads(body)
        if "errno" in answer:
            raise OSError(answer["errno"], answer["text"], answer["path"])
        if "failed" in answer:
            raise BoxFailure(answer["failed"])
        return answer, handed

    def call(self, name, *args):
        """Runs op_<name> of the agent or of the service's inside.py; OSError comes through."""
        return self.ask({"do": "call", "name": name, "args": args})[0]["value"]

    def open(self, path, flags, mode=0o644, uid=None, gid=None):
        """A descriptor of the sandbox's file."""
        request = {"do": "open", "path": path, "flags": flags, "mode": mode, "uid": uid,
                   "gid": gid}
        return self.ask(request)[1][0]

    def read(self, path):
        with open(self.open(path, os.O_RDONLY), "rb") as file:
            return file.read()

    def write(self, path, data, uid=None, gid=None, flags=os.O_TRUNC):
        fd = self.open(path, os.O_WRONLY | os.O_CREAT | flags, uid=uid, gid=gid)
        with open(fd, "wb") as file:
            file.write(data)

    def watch(self, path, recursive):
        """A pipe that tells of changes, one JSON line each; closing it ends the watch."""
        return self.ask({"do": "watch", "path": path, "recursive": recursive})[1][0]

    def freeze(self):
        self.ask({"do": "freeze"})
        self.frozen = True

    def thaw(self):
        self.ask({"do": "freeze", "thaw": True})
        self.frozen = False

    def spawn(self, argv, cwd, env, uid=None, gid=None, stdin=True, merge=False, terminal=None,
              session=True):
        """Starts a command; OSError when it cannot be (path tells which file). terminal:
        (cols, rows). merge: both streams on stdout."""
        uid = self.uid if uid is None else uid
        request = {"do": "spawn", "argv": argv, "cwd": cwd, "env": env, "uid": uid,
                   "gid": uid if gid is None else gid, "session": session}
        if terminal:
            request["pty"] = {"cols": terminal[0], "rows": terminal[1]}
            answer, handed = self.ask(request)
            return self.known(Process(self, answer["pid"], None, None, None, handed[0]))
        ours, theirs = [], []
        if stdin:
            theirs_in, ours_in = os.pipe()
            ours.append(ours_in)
        else:
            theirs_in, ours_in = os.open("/dev/null", os.O_RDONLY), None
        theirs.append(theirs_in)
        ours_out, theirs_out = os.pipe()
        ours.append(ours_out)
        theirs.append(theirs_out)
        ours_err = None
        if merge:
            theirs_err = os.dup(theirs_out)
        else:
            ours_err, theirs_err = os.pipe()
            ours.append(ours_err)
        theirs.append(theirs_err)
        try:
            answer, _ = self.ask(request, theirs)
        except BaseException:
            for fd in ours:
                os.close(fd)
            raise
        finally:
            for fd in theirs:
                os.close(fd)
        return self.known(Process(self, answer["pid"], ours_in, ours_out, ours_err, None))

    def known(self, process):
        with self.state:
            if process.pid in self.early:
                process.code = self.early.pop(process.pid)
            else:
                self.processes[process.pid] = process
        if process.code is not None:
            process.ended.set()
        return process

    def memory(self):
        """Bytes in use and in all, of this machine."""
        told = {}
        for line in Path("/proc/meminfo").read_text().splitlines():
            key, value = line.split(":")
            told[key] = int(value.split()[0]) * 1024
        return told["MemTotal"] - told["MemAvailable"], told["MemTotal"], told["Cached"]
