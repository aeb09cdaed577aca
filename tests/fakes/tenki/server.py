#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of Tenki: gRPC over cleartext HTTP/2 on two listeners, "api" (SandboxService) and "data"
(SandboxSessionDataPlaneService), each behind a gate that can break its connections.

Faults (POST /__knobs) match "POST /tenki.sandbox.v1.SandboxService/GetSession"; beside those of
base.py that make sense for gRPC (latencyMs, stall, loseAnswer, status, merge, extra), a fault has
  grpcStatus, message   the call ends so, without an answer
  noExit                a Run ends with OK, but without its exit frame
  exit                  {...} instead of the Run's exit frame
  wrongJson             true: the answer is no message of protobuf
  cutAfter              a Run or ReadFileStream breaks off (UNAVAILABLE) after n bytes of data
Settings:
  keys          the API keys that are known
  createMs, resumeMs, pauseMs, terminateMs   how long a change of state takes
  routeMs       how long after that the data plane's route is NOT_READY
  resumeFails   text: a resume falls back to PAUSED with this as last_resume_error
  largestPage   entries of one page of a list at most (100)
  tls           at the start only: both listeners speak TLS, with a certificate for 127.0.0.1 that
                the file at urls["ca"] has signed
  quota         how many sessions may run at once (10)
  certSeconds   life of a data plane credential (3600)
  minuteMs      length of a minute of idle_timeout_minutes; secondMs of max_duration
  eventBytes    output goes out in frames of at most so many bytes
  killOnCancel  whether a cancelled Run ends its command (true)
  gate          {"api"|"data": {"refuse"|"stall"|"bare404"|"bare503": true,
                "cutAfter"|"resetAfter": bytes}} for new connections; setting it ends those there
                are of that listener
"""
import sys

sys.dont_write_bytecode = True
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import base64
import re
import secrets
import subprocess
import threading
import time
import uuid
from concurrent import futures

try:
    import grpc
except ImportError:
    sys.exit("the fake of Tenki needs python3-grpcio")

import base
import box
import dataplane
import messages
from dataplane import Failure
from gate import Gate

CREATING, RUNNING, PAUSED, TERMINATING, TERMINATED, PAUSING, RESUMING = 1, 3, 4, 5, 6, 7, 8
STATE_NAMES = {1: "CREATING", 3: "RUNNING", 4: "PAUSED", 5: "TERMINATING", 6: "TERMINATED",
               7: "PAUSING", 8: "RESUMING", 9: "USER_SHUTDOWN"}
VERIFIED, NOT_READY, FAILED = 1, 2, 3
WORKSPACE = "0190aaaa-0000-7000-8000-000000000001"
CONTROL, DATA = "/tenki.sandbox.v1.SandboxService/", \
    "/tenki.sandbox.v1.SandboxSessionDataPlaneService/"
CODES = {code.value[0]: code for code in grpc.StatusCode}
OF_HTTP = {400: 3, 401: 16, 403: 7, 404: 5, 408: 4, 409: 10, 429: 8, 500: 13, 502: 14, 503: 14,
           504: 14}
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def moment(seconds):
    return {"seconds": int(seconds), "nanos": int(seconds % 1 * 1e9)}


class Session:
    def __init__(self, fake, asked):
        self.fake, self.id = fake, str(uuid.uuid4())
        self.asked, self.name = asked, asked.get("name", "")
        self.tags, self.sticky = asked.get("tags", []), asked.get("sticky", False)
        self.state, self.epoch = CREATING, 0
        self.created = self.active = time.time()
        self.ready = self.paused = self.terminated = self.pause_snapshot = None
        self.route_at = None
        self.resume_error = ""
        duration = asked.get("max_duration", {}).get("seconds", 0)
        self.timeout = self.created + duration * fake.settings["secondMs"] / 1000 \
            if duration else None
        self.certificates = {}
        self.box = box.Box(fake.root / self.id, user="tenki")
        self.lock = threading.RLock()

    def told(self):
        told = {"id": self.id, "state": self.state, "owner_type": "SERVICE",
                "owner_id": "svc-dummy", "created_at": moment(self.created),
                "inbound_enabled": self.asked.get("allow_inbound", False),
                "outbound_enabled": self.asked.get("allow_outbound", False),
                "cpu_cores": self.asked.get("cpu_cores") or 2,
                "memory_mb": self.asked.get("memory_mb") or 4096,
                "metadata": self.asked.get("metadata", {}), "workspace_id": WORKSPACE,
                "name": self.name, "disk_size_gb": self.asked.get("disk_size_gb") or 5,
                "tags": self.tags, "sticky": self.sticky,
                "idle_timeout_minutes": self.asked.get("idle_timeout_minutes", 0),
                "snapshot_id": self.asked.get("snapshot_id", ""),
                "source_registry_ref": self.asked.get("registry_ref", ""),
                "last_activity_at": moment(self.active),
                "last_resume_error": self.resume_error}
        for key, value in (("ready_at", self.ready), ("timeout_at", self.timeout),
                           ("paused_at", self.paused), ("terminated_at", self.terminated)):
            if value:
                told[key] = moment(value)
        if self.pause_snapshot:
            told["pause_snapshot_id"] = self.pause_snapshot
        return told

    def after(self, setting, action):
        delay = self.fake.settings[setting] / 1000

        def run():
            if self.fake.ending.wait(delay):
                return
            with self.lock:
                action()
        if delay:
            threading.Thread(target=run, daemon=True).start()
        else:
            action()

    def begin(self):
        """Answered before it runs, as by a service that first looks for a machine."""
        def run():
            began = time.time()
            with self.lock:
                try:
                    self.box.start()
                except box.BoxFailure as problem:
                    self.fake.problem(str(problem))
                    self.state = TERMINATED
            if self.fake.ending.wait(max(0, began + self.fake.settings["createMs"] / 1000
                                         - time.time())):
                return
            with self.lock:
                if self.state == CREATING:
                    self.state, self.ready = RUNNING, time.time()
                    self.route_at = self.ready + self.fake.settings["routeMs"] / 1000
        threading.Thread(target=run, daemon=True).start()

    def pause(self):
        self.state = PAUSING
        self.epoch += 1

        def down():
            if self.state != PAUSING:
                return
            self.box.freeze()
            self.state, self.paused = PAUSED, time.time()
            self.pause_snapshot = str(uuid.uuid4())
            self.certificates.clear()
        self.after("pauseMs", down)

    def resume(self):
        self.state, self.resume_error = RESUMING, ""

        def up():
            if self.state != RESUMING:
                return
            if self.fake.settings["resumeFails"]:
                self.state, self.resume_error = PAUSED, self.fake.settings["resumeFails"]
                return
            self.box.thaw()
            self.state, self.paused, self.active = RUNNING, None, time.time()
            self.route_at = time.time() + self.fake.settings["routeMs"] / 1000
        self.after("resumeMs", up)

    def terminate(self):
        self.state = TERMINATING
        self.epoch += 1

        def gone():
            self.box.destroy()
            self.state, self.terminated = TERMINATED, time.time()
        self.after("terminateMs", gone)

    def route(self):
        if self.state != RUNNING or time.time() < self.route_at:
            return NOT_READY
        return VERIFIED

    def certificate(self):
        name = "cert-" + secrets.token_hex(16)
        expires = time.time() + self.fake.settings["certSeconds"]
        self.certificates[name] = expires
        return {"credential": name, "expires_at": moment(expires)}

    def reached(self):
        told = {"session": self.told(), "route_status": self.route()}
        if self.state in (CREATING, RUNNING):
            told.update(data_plane_endpoint=self.fake.urls["data"], credential=self.certificate())
        return told


class Tenki(base.Fake, grpc.GenericRpcHandler):
    surfaces = ()
    defaults = {"keys": ["tk_DUMMY000000000000"], "createMs": 200, "resumeMs": 150, "pauseMs": 0,
                "terminateMs": 0, "routeMs": 0, "resumeFails": "", "quota": 10,
                "certSeconds": 3600, "largestPage": 100, "minuteMs": 60000, "secondMs": 1000,
                "eventBytes": 65536, "killOnCancel": True, "gate": {}, "tls": False}

    def __init__(self, argv=None):
        box.require()
        self.gates = {}
        super().__init__(argv)
        self.sessions = {}
        self.servers = []
        self.data = dataplane.DataPlane(self)

    def open(self):
        port = self.arguments.port
        scheme, tls = "http", self.settings["tls"] and self.certificate()
        if tls:
            scheme, self.urls["ca"] = "https", str(tls[1])
        for key in ("api", "data"):
            server = grpc.server(futures.ThreadPoolExecutor(max_workers=48), handlers=[self],
                                 options=[("grpc.so_reuseport", 0)])
            inner = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials(
                [(tls[0].read_bytes(), tls[1].read_bytes())])) if tls \
                else server.add_insecure_port("127.0.0.1:0")
            server.start()
            self.servers.append(server)
            self.gates[key] = Gate(self, key, inner, port, tls)
            self.urls[key] = f"{scheme}://127.0.0.1:{self.gates[key].port}"
            port = 0
        self.listen("control")
        threading.Thread(target=self.watch_lives, daemon=True).start()

    def certificate(self):
        """Key and certificate, which is its own authority."""
        key, certificate = self.root / "tls.key", self.root / "tls.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out",
                        certificate, "-days", "2", "-subj", "/CN=fake", "-addext",
                        "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
        return key, certificate

    def stop(self):
        for session in list(self.sessions.values()):
            session.epoch += 1
            session.box.destroy()
        for gate in self.gates.values():
            gate.stop()
        for server in self.servers:
            server.stop(0)

    def turned(self, knobs):
        for key in knobs.get("gate", {}):
            if key in self.gates:
                self.gates[key].drop()

    def watch_lives(self):
        while not self.ending.wait(0.05):
            now = time.time()
            for session in list(self.sessions.values()):
                idle = session.asked.get("idle_timeout_minutes", 0) * \
                    self.settings["minuteMs"] / 1000
                with session.lock:
                    if session.state in (RUNNING, CREATING) and session.timeout and \
                            now > session.timeout:
                        session.terminate()
                    elif session.state == RUNNING and idle and now > session.active + idle:
                        session.pause()

    # gRPC

    def service(self, details):
        method = details.method
        record = {"surface": "data" if method.startswith(DATA) else "api", "method": "POST",
                  "target": method, "path": method, "query": {}, "t": time.time(),
                  "headers": {k.lower(): v if isinstance(v, str) else "" for k, v in
                              details.invocation_metadata}, "messages": []}
        with self.lock:
            record["n"] = len(self.requests) + 1
            self.requests.append(record)
        fault = self.fault(record["surface"], "POST " + method)
        name = method.rsplit("/", 1)[1]
        if method.startswith(DATA):
            known, authorize = self.data.methods.get(name), None
        else:
            known, authorize = CONTROL_METHODS.get(name) if method.startswith(CONTROL) else None, \
                self.authorize
        if not known:
            return None
        asks, answers, streams_in, streams_out, call = known
        wraps = method.startswith(DATA)

        def take(data):
            try:
                told = messages.decode(asks, messages.unwrapped(data) if wraps else data)
            except messages.Malformed as problem:
                raise Failure(3, f"malformed message: {problem}")
            record["messages"].append(loggable(told))
            return told

        def give(told):
            if "merge" in fault:
                told = merged(told, fault["merge"])
            data = messages.encode(answers, told)
            if fault.get("wrongJson"):
                return b"\x0a\xff\xff\xff\xff\x07<html>"
            if fault.get("extra"):
                data += messages.UNKNOWN
            return messages.wrapped(data) if wraps else data

        def guarded(context, work):
            try:
                self.before(fault, context)
                if authorize:
                    authorize(record["headers"])
                yield from work()
                if fault.get("loseAnswer"):
                    raise Failure(14, "connection lost")
                record["ended"] = "complete"
            except Failure as failure:
                record["ended"] = f"grpc-status {failure.code}"
                context.abort(CODES[failure.code], failure.message)
            except (box.BoxFailure, OSError) as problem:
                record["ended"] = "failed"
                self.problem(f"{method}: {problem!r}\n")
                context.abort(grpc.StatusCode.INTERNAL, str(problem))

        def unary(request, context):
            def work():
                if wraps:
                    told = call(self.data, take(request), record["headers"], context)
                else:
                    told = call(self, take(request))
                yield told
            last = None
            for told in guarded(context, work):
                last = told
            return give(last)

        def streaming(request, context):
            def work():
                if wraps:
                    incoming = (take(r) for r in request) if streams_in else take(request)
                    for told in call(self.data, incoming, record["headers"], context, fault):
                        yield give(told)
                else:
                    for told in call(self, take(request), context):
                        yield give(told)
            if fault.get("loseAnswer"):
                for _ in guarded(context, work):
                    pass
                return
            yield from guarded(context, work)

        def collecting(request, context):
            def work():
                yield call(self.data, (take(r) for r in request), record["headers"], context)
            last = None
            for told in guarded(context, work):
                last = told
            return give(last)

        if streams_in and streams_out:
            return grpc.stream_stream_rpc_method_handler(streaming)
        if streams_in:
            return grpc.stream_unary_rpc_method_handler(collecting)
        if streams_out:
            return grpc.unary_stream_rpc_method_handler(streaming)
        return grpc.unary_unary_rpc_method_handler(unary)

    def before(self, fault, context):
        if fault.get("latencyMs"):
            time.sleep(fault["latencyMs"] / 1000)
        if fault.get("stall"):
            while context.is_active() and not self.ending.wait(0.05):
                pass
            raise Failure(1, "cancelled")
        if "grpcStatus" in fault or "status" in fault:
            code = fault.get("grpcStatus") or OF_HTTP.get(fault["status"], 2)
            raise Failure(code, fault.get("message", "a fault on demand"))
        if fault.get("reset"):
            raise Failure(14, "connection reset")

    def authorize(self, headers):
        given = headers.get("authorization", "")
        if given[:7] != "Bearer " or given[7:] not in self.settings["keys"]:
            raise Failure(16, "invalid API key")

    # The control plane

    def session(self, asked):
        name = asked.get("session_id", "")
        if not UUID.fullmatch(name):
            raise Failure(3, "validation error: session_id: value must be a valid UUID")
        found = self.sessions.get(name)
        if not found:
            raise Failure(5, f"session {name} not found")
        return found

    def create(self, asked):
        def check(holds, what):
            if not holds:
                raise Failure(3, "validation error: " + what)
        check(asked.get("owner_id"), "owner_id: value length must be at least 1 characters")
        check(asked.get("owner_type") in ("SERVICE", "USER"), "owner_type: must be known")
        check(1 <= asked.get("cpu_cores", 2) <= 16, "cpu_cores: must be 1 to 16")
        memory = asked.get("memory_mb", 4096)
        check(128 <= memory <= 65536 and memory % 2 == 0, "memory_mb: must be 128 to 65536, even")
        check(5 <= asked.get("disk_size_gb", 5) <= 100, "disk_size_gb: must be 5 to 100")
        check(asked.get("idle_timeout_minutes", 0) >= 0, "idle_timeout_minutes: must not be less")
        self.check_labels(asked)
        check(UUID.fullmatch(asked.get("workspace_id", WORKSPACE)), "workspace_id: must be a UUID")
        sources = [k for k in ("snapshot_id", "registry_ref", "template_spec_id") if asked.get(k)]
        check(len(sources) < 2, "only one source may be given")
        if asked.get("workspace_id", WORKSPACE) != WORKSPACE:
            raise Failure(7, "no access to the workspace")
        if asked.get("snapshot_id"):
            raise Failure(5, f"snapshot {asked['snapshot_id']} not found")
        if asked.get("registry_ref", "").startswith("missing"):
            raise Failure(5, f"registry image {asked['registry_ref']} not found")
        with self.lock:
            active = sum(s.state in (CREATING, RUNNING, RESUMING) for s in self.sessions.values())
            if active >= self.settings["quota"]:
                raise Failure(8, "concurrent session limit reached")
            session = Session(self, asked)
            self.sessions[session.id] = session
        session.begin()
        if asked.get("wait_ready"):
            while session.state == CREATING and not self.ending.wait(0.02):
                pass
        return session.reached()

    @staticmethod
    def check_labels(asked):
        if len(asked.get("name", "")) > 64:
            raise Failure(3, "validation error: name: at most 64 characters")
        tags = asked.get("tags", [])
        if len(tags) > 20 or not all(re.fullmatch(r"[a-z0-9][a-z0-9_:.-]{0,31}", t) for t in tags):
            raise Failure(3, "validation error: tags: at most 20 of 32 lower-case characters")

    def wait(self, asked, context):
        session = self.session(asked)
        last = None
        while context.is_active() and not self.ending.is_set():
            state = (session.state, session.route())
            if state != last:
                last = state
                yield session.reached()
            if session.state in (PAUSED, TERMINATED) or state == (RUNNING, VERIFIED):
                return
            time.sleep(0.02)

    def credential(self, asked):
        session = self.session(asked)
        if session.state != RUNNING:
            raise Failure(9, f"session is not running (state={STATE_NAMES[session.state]})")
        route = session.route()
        told = {"route_status": route, "data_plane_endpoint": self.urls["data"]}
        if route == VERIFIED:
            told["credential"] = session.certificate()
        return told

    def get(self, asked):
        return {"session": self.session(asked).told()}

    def pause(self, asked):
        session = self.session(asked)
        with session.lock:
            if session.state != RUNNING:
                raise Failure(9, f"session is not running (state={STATE_NAMES[session.state]})")
            session.pause()
        return {"session": session.told()}

    def resume(self, asked):
        session = self.session(asked)
        with session.lock:
            if session.state != PAUSED:
                raise Failure(9, f"session is not paused (state={STATE_NAMES[session.state]})")
            session.resume()
            return {"session": session.told()}

    def terminate(self, asked):
        session = self.session(asked)
        with session.lock:
            if session.state not in (TERMINATING, TERMINATED):
                session.terminate()
        return {"session": session.told()}

    def terminate_many(self, asked):
        done, failures = [], []
        for name in asked.get("session_ids", []):
            try:
                done.append(self.terminate({"session_id": name})["session"])
            except Failure as failure:
                failures.append({"session_id": name, "message": failure.message})
        return {"sessions": done, "failures": failures}

    def extend(self, asked):
        session = self.session(asked)
        if session.state in (TERMINATING, TERMINATED):
            raise Failure(9, "session is terminated")
        more = asked.get("additional_duration", {}).get("seconds", 0)
        if more <= 0:
            raise Failure(3, "validation error: additional_duration: must be positive")
        session.timeout = (session.timeout or time.time()) + \
            more * self.settings["secondMs"] / 1000
        return {"session": session.told()}

    def update(self, asked):
        session = self.session(asked)
        self.check_labels(asked)
        session.name = asked.get("name", session.name)
        if asked.get("tags") or asked.get("clear_tags"):
            session.tags = asked.get("tags", [])
        session.sticky = asked.get("sticky", session.sticky)
        return {"session": session.told()}

    def list(self, asked):
        size = asked.get("page_size", 0) or 50
        if not 1 <= size <= 100:
            raise Failure(3, "validation error: page_size: must be at most 100")
        with self.lock:
            found = [s for s in self.sessions.values()
                     if (asked.get("include_terminated") or s.state != TERMINATED)
                     and (not asked.get("state") or s.state == asked["state"])
                     and set(asked.get("tags", [])) <= set(s.tags)]
        size = min(size, self.settings["largestPage"])
        found.sort(key=lambda s: (s.created, s.id), reverse=True)
        first = 0
        if asked.get("page_token"):
            try:
                last = base64.urlsafe_b64decode(asked["page_token"]).decode()
                first = [s.id for s in found].index(last) + 1
            except ValueError:
                raise Failure(3, "invalid page token")
        told = {"sessions": [s.told() for s in found[first:first + size]]}
        if len(found) > first + size:
            told["next_page_token"] = base64.urlsafe_b64encode(
                found[first + size - 1].id.encode()).decode()
        return told

    def who(self, _):
        return {"owner_type": "SERVICE", "owner_id": "svc-dummy",
                "workspaces": [{"workspace_id": WORKSPACE, "name": "dummy workspace"}]}

    def usage(self, _):
        active = sum(s.state in (CREATING, RUNNING, RESUMING) for s in self.sessions.values())
        return {"limits": [{"key": "active_sessions", "label": "Active sessions", "unit": 1,
                            "current": active, "max": self.settings["quota"]}]}

    def expose(self, asked):
        session = self.session(asked)
        if not session.asked.get("allow_inbound"):
            raise Failure(9, "inbound access is disabled")
        port = asked.get("port", 0)
        return {"host_address": "127.0.0.1", "port": port,
                "preview_url": f"http://127.0.0.1:{port}", "preview_url_id": str(uuid.uuid4()),
                "slug": asked.get("slug", ""), "expires_at": moment(time.time() + 3600)}


# method -> (asks, answers, streams in, streams out, what does it)
CONTROL_METHODS = {
    "CreateSession": ("CreateSessionRequest", "SessionReached", False, False, Tenki.create),
    "WaitSession": ("SessionRequest", "SessionReached", False, True, Tenki.wait),
    "CreateSessionCredential": ("SessionRequest", "CredentialAnswer", False, False,
                                Tenki.credential),
    "GetSession": ("SessionRequest", "SessionAnswer", False, False, Tenki.get),
    "PauseSession": ("SessionRequest", "SessionAnswer", False, False, Tenki.pause),
    "ResumeSession": ("SessionRequest", "SessionAnswer", False, False, Tenki.resume),
    "TerminateSession": ("SessionRequest", "SessionAnswer", False, False, Tenki.terminate),
    "TerminateSessions": ("ManyRequest", "ManyAnswer", False, False, Tenki.terminate_many),
    "ExtendSession": ("ExtendRequest", "SessionAnswer", False, False, Tenki.extend),
    "UpdateSession": ("UpdateRequest", "SessionAnswer", False, False, Tenki.update),
    "ListWorkspaceSandboxes": ("ListWorkspaceRequest", "ListAnswer", False, False, Tenki.list),
    "ListSessions": ("ListRequest", "ListAnswer", False, False, Tenki.list),
    "WhoAmI": ("Empty", "WhoAmIAnswer", False, False, Tenki.who),
    "GetWorkspaceSandboxUsage": ("UsageRequest", "UsageAnswer", False, False, Tenki.usage),
    "ExposePort": ("ExposeRequest", "ExposeAnswer", False, False, Tenki.expose),
}


def loggable(value):
    if isinstance(value, bytes):
        if len(value) > 4096:
            return {"bytes": len(value)}
        try:
            return value.decode()
        except UnicodeDecodeError:
            return {"base64": base64.b64encode(value).decode()}
    if isinstance(value, dict):
        return {key: loggable(item) for key, item in value.items()}
    return [loggable(item) for item in value] if isinstance(value, list) else value


def merged(told, more):
    result = dict(told)
    for key, value in more.items():
        if isinstance(told.get(key), list) and isinstance(value, dict):
            result[key] = [merged(item, value) for item in told[key]]
        else:
            result[key] = merged(told.get(key, {}), value) if isinstance(value, dict) else value
    return result


if __name__ == "__main__":
    Tenki().main()
