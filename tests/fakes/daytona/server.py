#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of Daytona: its API ("api", below /api) and its proxy ("proxy", below /toolbox/{id}).

Sandboxes are real ones of box.py: a stop ends their processes and keeps their files.

Settings (POST /__knobs):
  keys         {key: [permission...]}; "dtn_test" may do everything, "dtn_read" only look
  suspended    true: 403, the organization is suspended
  stateMs      how long each change of state takes (150)
  minuteMs     length of a minute of the automatic intervals (60000)
  createFails  "start": 400 without an id, and a broken sandbox stays; "build": ends in build_failed
  recoverable  true: errors made by createFails can be recovered
  listStyle    "cursor", or of older servers "array", "pages"
  listLagMs    a new sandbox is absent from lists so long (0)
  newRoutes    false: a server without the calls of newer ones (404 page not found)
  shell        the shell that the daemon finds ("/usr/bin/bash"); one that is missing breaks all
  cpuLimit     cores of all sandboxes together (40), a sandbox has at most 4
"""
import sys

sys.dont_write_bytecode = True
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import base64
import datetime
import http
import json
import re
import secrets
import threading
import time
import uuid

import base
import box
import toolbox

ORGANIZATION = "00000000-0000-4000-8000-0000000000aa"
SNAPSHOTS = {"daytonaio/sandbox:0.5.0": "container", "ubuntu-22.04": "container",
             "daytona-vm": "linux-vm"}
STATES = {"creating", "restoring", "started", "stopped", "starting", "stopping", "error",
          "build_failed", "pending_build", "building_snapshot", "pulling_snapshot", "archived",
          "archiving", "resizing", "snapshotting", "forking", "pausing", "paused", "resuming",
          "unknown"}
ASKABLE = {"name", "snapshot", "user", "env", "labels", "public", "networkBlockAll",
           "networkAllowList", "domainAllowList", "target", "cpu", "memory", "disk", "gpu",
           "gpuType", "autoStopInterval", "autoArchiveInterval", "autoDeleteInterval",
           "autoPauseInterval", "volumes", "buildInfo", "linkedSandbox"}


def stamp(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def error_body(exchange, status, message):
    try:
        name = http.HTTPStatus(status).phrase
    except ValueError:
        name = "Error"
    return {"path": exchange.path, "timestamp": stamp(time.time()), "statusCode": status,
            "error": name, "message": message}


class Sandbox:
    def __init__(self, fake, asked):
        self.fake = fake
        self.id = str(uuid.uuid4())
        self.name = asked.get("name") or self.id
        built = "buildInfo" in asked
        self.snapshot = None if built else asked.get("snapshot", next(iter(SNAPSHOTS)))
        self.kind = "container" if built else SNAPSHOTS[self.snapshot]
        self.build = asked.get("buildInfo")
        self.user = asked.get("user") or "daytona"
        self.env, self.labels = asked.get("env") or {}, asked.get("labels") or {}
        self.public = bool(asked.get("public"))
        self.block_all = bool(asked.get("networkBlockAll"))
        self.target = asked.get("target") or "us"
        self.cpu, self.memory, self.disk = (asked.get("cpu", 1), asked.get("memory", 1),
                                            asked.get("disk", 3))
        self.auto_stop = asked.get("autoStopInterval", 15)
        self.auto_archive = asked.get("autoArchiveInterval", 10080)
        self.auto_delete = asked.get("autoDeleteInterval", -1)
        self.volumes = asked.get("volumes") or []
        self.state, self.desired = "creating", "started"
        self.changing, self.error, self.recoverable = True, None, False
        self.backup = "None"
        self.created = self.updated = self.active = time.time()
        self.stopped_at = None
        self.recorded = (time.monotonic(), 0.0)
        self.token = secrets.token_hex(16)
        self.signed = {}
        self.box = box.Box(fake.root / self.id, user="daytona", directories=["/workspace"],
                           extra=toolbox.INSIDE)
        self.inside = toolbox.Daemon(self)

    def told(self, listed=False):
        told = {"id": self.id, "organizationId": ORGANIZATION, "name": self.name,
                "user": self.user, "labels": self.labels, "public": self.public,
                "networkBlockAll": self.block_all, "target": self.target, "cpu": self.cpu,
                "gpu": 0, "memory": self.memory, "disk": self.disk, "state": self.state,
                "desiredState": self.desired, "recoverable": self.recoverable,
                "backupState": self.backup, "autoStopInterval": self.auto_stop,
                "autoArchiveInterval": self.auto_archive, "autoDeleteInterval": self.auto_delete,
                "sandboxClass": self.kind, "createdAt": stamp(self.created),
                "updatedAt": stamp(self.updated), "lastActivityAt": stamp(self.active),
                "daemonVersion": "0.218.0", "runnerId": "11111111-1111-4111-8111-111111111111",
                "toolboxProxyUrl": self.fake.urls["proxy"] + "/toolbox"}
        if self.snapshot:
            told["snapshot"] = self.snapshot
        if self.error:
            told["errorReason"] = self.error
        if not listed:
            told.update({"env": self.env, "volumes": self.volumes})
            if self.build:
                told["buildInfo"] = {"dockerfileContent": self.build.get("dockerfileContent"),
                                     "createdAt": stamp(self.created),
                                     "updatedAt": stamp(self.created), "snapshotRef": self.id}
        return told

    def change(self, steps, desired):
        """Goes through steps, [(state, action or None)...], each in its time; the last stays."""
        self.changing, self.desired = True, desired
        self.state, self.updated = steps[0][0], time.time()
        done = threading.Event()

        def go():
            try:
                for at, (state, action) in enumerate(steps):
                    self.state, self.updated = state, time.time()
                    if action:
                        action()
                    if at + 1 < len(steps):
                        time.sleep(self.fake.settings["stateMs"] / 1000)
            except box.BoxFailure as problem:
                self.fake.problem(str(problem))
                self.state, self.error = "error", str(problem)
            self.changing = False
            done.set()

        threading.Thread(target=go, daemon=True).start()
        return done

    def boot(self):
        self.box.start()
        self.token = secrets.token_hex(16)
        self.active, self.stopped_at = time.time(), None

    def halt(self):
        self.inside.end_streams()
        self.box.stop()
        self.inside.forget()
        self.stopped_at = time.time()

    def destroy(self):
        self.inside.end_streams()
        self.box.destroy()
        self.fake.forget(self)


class Daytona(base.Fake):
    surfaces = ("api", "proxy")
    defaults = {"keys": {"dtn_test": ["write:sandboxes", "delete:sandboxes"], "dtn_read": []},
                "suspended": False, "stateMs": 150, "minuteMs": 60000, "createFails": "",
                "recoverable": False, "listStyle": "cursor", "listLagMs": 0, "newRoutes": True,
                "shell": "/usr/bin/bash", "cpuLimit": 40}

    def __init__(self, argv=None):
        box.require()
        super().__init__(argv)
        self.sandboxes = {}
        threading.Thread(target=self.watch_intervals, daemon=True).start()

    def stop(self):
        for sandbox in list(self.sandboxes.values()):
            sandbox.box.destroy()

    def forget(self, sandbox):
        with self.lock:
            self.sandboxes.pop(sandbox.id, None)

    def watch_intervals(self):
        while not self.ending.wait(0.1):
            minute, now = self.settings["minuteMs"] / 1000, time.time()
            for sandbox in list(self.sandboxes.values()):
                if sandbox.changing:
                    continue
                if sandbox.state == "started" and sandbox.auto_stop > 0 and \
                        now > sandbox.active + sandbox.auto_stop * minute:
                    self.begin_stop(sandbox)
                elif sandbox.state == "stopped" and sandbox.auto_delete >= 0 and \
                        now > sandbox.stopped_at + sandbox.auto_delete * minute:
                    self.begin_destroy(sandbox)
                elif sandbox.state == "stopped" and \
                        now > sandbox.stopped_at + (sandbox.auto_archive or 43200) * minute:
                    self.begin_archive(sandbox)

    def fault_body(self, exchange, status):
        if exchange.surface == "proxy":
            return toolbox.error_body(exchange, exchange.route, status, "a fault on demand")
        return error_body(exchange, status, "a fault on demand")

    def bad_json(self):
        return base.Refusal(400, {"statusCode": 400, "error": "Bad Request",
                                  "message": "Unexpected token in JSON"})

    def refusal(self, exchange, status, message, headers=None):
        return base.Refusal(status, error_body(exchange, status, message), headers,
                            "application/json; charset=utf-8")

    def handle(self, surface, exchange):
        if surface == "proxy":
            return self.handle_proxy(exchange)
        if exchange.route == "/api/health":
            return exchange.reply(200, {"status": "ok"})
        if exchange.route == "/api/config":
            return self.config(exchange)
        if not exchange.route.startswith("/api/"):
            raise self.refusal(exchange, 404, f"Cannot {exchange.command} {exchange.route}")
        rights = self.authorize(exchange)
        self.handle_api(exchange, rights)

    def authorize(self, exchange):
        given = exchange.headers.get("Authorization", "")
        key = given[7:] if given.startswith("Bearer ") else ""
        if key not in self.settings["keys"]:
            raise self.refusal(exchange, 401, "Invalid credentials")
        named = exchange.headers.get("X-Daytona-Organization-ID", ORGANIZATION)
        if named != ORGANIZATION:
            raise self.refusal(exchange, 403, "Invalid authentication context")
        return self.settings["keys"][key]

    def config(self, exchange):
        limits = {name: {"ttl": 60, "limit": 300} for name in
                  ("authenticated", "sandboxCreate", "sandboxLifecycle", "failedAuth",
                   "sandboxList")}
        exchange.reply(200, {
            "version": "0.218.0", "oidc": {"issuer": "http://localhost/dex", "clientId": "daytona",
                                           "audience": "daytona"},
            "linkedAccountsEnabled": False, "announcements": {},
            "proxyToolboxUrl": self.urls["proxy"] + "/toolbox",
            "proxyTemplateUrl": "http://{{PORT}}-{{sandboxId}}.proxy.localhost",
            "defaultSnapshot": next(iter(SNAPSHOTS)), "dashboardUrl": self.urls["api"],
            "maxAutoArchiveInterval": 43200, "maintananceMode": False, "environment": "test",
            "rateLimit": limits})

    def handle_api(self, exchange, rights):
        path = exchange.route[4:]
        if path == "/sandbox" and exchange.command == "POST":
            self.need(exchange, rights, "write:sandboxes")
            return self.create(exchange)
        if path in ("/sandbox", "/sandbox/paginated") and exchange.command == "GET":
            return self.list(exchange, path.endswith("paginated"))
        old = re.fullmatch(r"/toolbox/([^/]+)/toolbox(/.*)", path)
        if old:
            self.need(exchange, rights, "write:sandboxes")
            sandbox = self.named(exchange, old[1])
            return sandbox.inside.handle(exchange, old[2], websocket=False)
        parts = re.fullmatch(r"/sandbox/([^/]+)(?:/(.+))?", path)
        if not parts:
            raise self.refusal(exchange, 404, f"Cannot {exchange.command} {exchange.route}")
        sandbox = self.named(exchange, parts[1])
        verb, _, rest = (parts[2] or "").partition("/")
        method = getattr(self, f"{exchange.command.lower()}_{verb or 'one'}".replace("-", "_"),
                         None)
        if not method:
            raise self.refusal(exchange, 404, f"Cannot {exchange.command} {exchange.route}")
        if exchange.command != "GET":
            self.need(exchange, rights,
                      "delete:sandboxes" if exchange.command == "DELETE" else "write:sandboxes")
        method(exchange, sandbox, rest)

    def need(self, exchange, rights, right):
        if right not in rights:
            raise self.refusal(exchange, 403, "Access denied")

    def named(self, exchange, name):
        for sandbox in list(self.sandboxes.values()):
            if name in (sandbox.id, sandbox.name):
                return sandbox
        raise self.refusal(exchange, 404, f"Sandbox with ID or name {name} not found")

    # Create and list

    def check_create(self, exchange, asked):
        def no(status, message):
            return self.refusal(exchange, status, message)
        unknown = set(asked) - ASKABLE
        if unknown:
            raise no(400, ", ".join(f"property {name} should not exist"
                                    for name in sorted(unknown)))
        if self.settings["suspended"]:
            raise no(403, "Organization is suspended")
        if "buildInfo" in asked and "snapshot" in asked:
            raise no(400, "Cannot specify a snapshot when using a build info entry")
        sizes = [name for name in ("cpu", "memory", "disk", "gpu") if asked.get(name)]
        if sizes and "buildInfo" not in asked:
            raise no(400, "Cannot specify Sandbox resources when using a snapshot")
        if asked.get("snapshot") and asked["snapshot"] not in SNAPSHOTS:
            raise no(400, f"Snapshot {asked['snapshot']} not found. Did you add it through the "
                          "Daytona Dashboard?")
        if asked.get("target", "us") not in ("us", "eu"):
            raise no(404, "Region not found")
        if asked.get("autoStopInterval", 0) < 0:
            raise no(400, "Auto-stop interval must be non-negative")
        if asked.get("cpu", 1) > 4:
            raise no(400, f"CPU request {asked['cpu']} exceeds maximum allowed per sandbox (4).")
        with self.lock:
            used = sum(s.cpu for s in self.sandboxes.values()) + asked.get("cpu", 1)
            names = {s.name for s in self.sandboxes.values()}
        if used > self.settings["cpuLimit"]:
            raise no(400, "Total CPU limit exceeded. Maximum allowed: "
                          f"{self.settings['cpuLimit']}.")
        if asked.get("name") in names:
            raise no(409, f"Sandbox with name {asked['name']} already exists")

    def create(self, exchange):
        asked = exchange.json()
        self.check_create(exchange, asked)
        sandbox = Sandbox(self, asked)
        with self.lock:
            self.sandboxes[sandbox.id] = sandbox
        fails = self.settings["createFails"]
        built = sandbox.build is not None

        def fail():
            sandbox.error = "timeout while starting sandbox" if fails == "start" \
                else "build failed: exit code 1"
            sandbox.recoverable = self.settings["recoverable"]

        steps = [("pending_build", None), ("building_snapshot", None)] if built else []
        if fails:
            steps += [("creating", None), ("build_failed" if fails == "build" else "error", fail)]
        else:
            steps += [("creating", sandbox.boot), ("started", None)]
        done = sandbox.change(steps, "started")
        if not built:
            done.wait(30)
            if sandbox.error:
                raise self.refusal(exchange, 400, f"Sandbox failed to start: {sandbox.error}")
        exchange.reply(200, sandbox.told())

    def list(self, exchange, paginated):
        query = {key: values[0] for key, values in exchange.query.items()}
        states = set(exchange.query.get("states", []))
        if not states <= STATES:
            raise self.refusal(exchange, 400, "each value in states must be one of the "
                                              "following values: " + ", ".join(sorted(STATES)))
        try:
            limit, page = int(query.get("limit", "100")), int(query.get("page", "1"))
            labels = json.loads(query.get("labels", "{}"))
        except ValueError:
            raise self.refusal(exchange, 400, "limit must be a number, labels JSON")
        if not 1 <= limit <= 200:
            raise self.refusal(exchange, 400, "limit must not be greater than 200")
        now = time.time()
        found = [s for s in list(self.sandboxes.values())
                 if labels.items() <= s.labels.items() and (not states or s.state in states)
                 and s.state not in ("destroying", "destroyed")
                 and now >= s.created + self.settings["listLagMs"] / 1000
                 and s.name.lower().startswith(query.get("name", "").lower())
                 and s.id.startswith(query.get("id", ""))]
        keys = {"name": lambda s: s.name, "createdAt": lambda s: (s.created, s.id)}
        found.sort(key=keys.get(query.get("sort"), lambda s: (s.active, s.id)),
                   reverse=query.get("order", "desc") == "desc")
        told = [s.told(listed=True) for s in found]
        if self.settings["listStyle"] == "array" and not paginated:
            return exchange.reply(200, told)
        if paginated or self.settings["listStyle"] == "pages":
            first = (page - 1) * limit
            return exchange.reply(200, {"items": told[first:first + limit], "total": len(told),
                                        "page": page, "totalPages": -(-len(told) // limit)})
        first = 0
        if "cursor" in query:
            try:
                last = base64.urlsafe_b64decode(query["cursor"]).decode()
                first = [t["id"] for t in told].index(last) + 1
            except ValueError:
                raise self.refusal(exchange, 400, "Invalid cursor")
        more = len(told) > first + limit
        cursor = base64.urlsafe_b64encode(told[first + limit - 1]["id"].encode()).decode() \
            if more else None
        exchange.reply(200, {"items": told[first:first + limit], "nextCursor": cursor})

    # One sandbox

    def settled(self, exchange, sandbox):
        if sandbox.changing and sandbox.state != "pending_build":
            raise self.refusal(exchange, 409, "Sandbox state change in progress")

    def get_one(self, exchange, sandbox, _):
        exchange.reply(200, sandbox.told())

    def delete_one(self, exchange, sandbox, _):
        with self.lock:
            self.settled(exchange, sandbox)
            self.begin_destroy(sandbox)
        exchange.reply(200, sandbox.told())

    def begin_destroy(self, sandbox):
        sandbox.name = f"DESTROYED_{sandbox.name}_{int(time.time() * 1000)}"
        sandbox.change([("destroying", None), ("destroyed", sandbox.destroy)], "destroyed")

    def begin_stop(self, sandbox):
        if sandbox.auto_delete == 0:
            return self.begin_destroy(sandbox)
        sandbox.change([("stopping", sandbox.halt), ("stopped", None)], "stopped")

    def begin_archive(self, sandbox):
        def saved():
            sandbox.backup = "Completed"
        sandbox.change([("archiving", saved), ("archived", None)], "archived")

    def post_start(self, exchange, sandbox, _):
        with self.lock:
            if sandbox.state == "started" and not sandbox.changing:
                return exchange.reply(200, sandbox.told())
            self.settled(exchange, sandbox)
            if sandbox.state in ("error", "build_failed"):
                raise self.refusal(exchange, 400, "Sandbox is in an errored state")
            if sandbox.state == "paused":
                sandbox.change([("resuming", sandbox.box.thaw), ("started", None)], "started")
            elif sandbox.state in ("stopped", "archived"):
                first = "restoring" if sandbox.state == "archived" else "starting"
                sandbox.change([(first, sandbox.boot), ("started", None)], "started")
            else:
                raise self.refusal(exchange, 400, "Sandbox is not in valid state")
        exchange.reply(200, sandbox.told())

    def post_stop(self, exchange, sandbox, _):
        with self.lock:
            self.settled(exchange, sandbox)
            if sandbox.state not in ("started", "paused"):
                raise self.refusal(exchange, 400, "Sandbox is not in a stoppable state")
            self.begin_stop(sandbox)
        exchange.reply(200, sandbox.told())

    def post_pause(self, exchange, sandbox, _):
        with self.lock:
            if sandbox.kind not in ("linux-vm", "windows"):
                raise self.refusal(exchange, 422, "Pausing is not supported for this sandbox")
            self.settled(exchange, sandbox)
            if sandbox.state != "started":
                raise self.refusal(exchange, 400, "Sandbox is not started")

            def freeze():
                sandbox.inside.end_streams()
                sandbox.box.freeze()
            sandbox.change([("pausing", freeze), ("paused", None)], "paused")
        exchange.reply(200, sandbox.told())

    def post_archive(self, exchange, sandbox, _):
        with self.lock:
            self.settled(exchange, sandbox)
            if sandbox.state != "stopped" or sandbox.auto_delete == 0:
                raise self.refusal(exchange, 400, "Sandbox is not stopped")
            self.begin_archive(sandbox)
        exchange.reply(200, sandbox.told())

    def post_recover(self, exchange, sandbox, _):
        with self.lock:
            self.settled(exchange, sandbox)
            if sandbox.state != "error" or not sandbox.recoverable:
                raise self.refusal(exchange, 400, "Sandbox is not in a recoverable state")
            sandbox.error, sandbox.recoverable = None, False
            sandbox.change([("starting", sandbox.boot), ("started", None)], "started")
        exchange.reply(200, sandbox.told())

    def post_resize(self, exchange, sandbox, _):
        asked = exchange.json()
        with self.lock:
            self.settled(exchange, sandbox)
            if "disk" in asked and (sandbox.state != "stopped" or asked["disk"] < sandbox.disk):
                raise self.refusal(exchange, 400, "Disk can only grow, while stopped")
            state = sandbox.state
            for name in ("cpu", "memory", "disk"):
                setattr(sandbox, name, asked.get(name, getattr(sandbox, name)))
            sandbox.change([("resizing", None), (state, None)], state)
        exchange.reply(200, sandbox.told())

    def put_labels(self, exchange, sandbox, _):
        sandbox.labels = exchange.json().get("labels") or {}
        exchange.reply(200, sandbox.told())

    def interval(self, exchange, rest, least):
        try:
            minutes = int(rest)
        except ValueError:
            minutes = least - 1
        if minutes < least:
            raise self.refusal(exchange, 400, "Interval must be a non-negative number of minutes")
        return minutes

    def post_autostop(self, exchange, sandbox, rest):
        sandbox.auto_stop = self.interval(exchange, rest, 0)
        exchange.reply(201, sandbox.told())

    def post_autoarchive(self, exchange, sandbox, rest):
        sandbox.auto_archive = min(self.interval(exchange, rest, 0) or 43200, 43200)
        exchange.reply(201, sandbox.told())

    def post_autodelete(self, exchange, sandbox, rest):
        sandbox.auto_delete = self.interval(exchange, rest, -1)
        exchange.reply(201, sandbox.told())

    def post_public(self, exchange, sandbox, rest):
        sandbox.public = rest == "true"
        exchange.reply(201, sandbox.told())

    def post_last_activity(self, exchange, sandbox, _):
        sandbox.active = time.time()
        exchange.reply(201)

    def get_toolbox_proxy_url(self, exchange, sandbox, _):
        exchange.reply(200, {"url": self.urls["proxy"] + "/toolbox"})

    def proxy_host(self):
        return "proxy.localhost:" + self.urls["proxy"].rsplit(":", 1)[1]

    def get_ports(self, exchange, sandbox, rest):
        port, _, what = rest.partition("/")
        if what == "preview-url":
            return exchange.reply(200, {
                "sandboxId": sandbox.id, "token": sandbox.token,
                "url": f"http://{port}-{sandbox.id}.{self.proxy_host()}"})
        if what == "signed-preview-url":
            seconds = int(exchange.query.get("expiresInSeconds", ["60"])[0])
            if not 1 <= seconds <= 86400:
                raise self.refusal(exchange, 400, "expiresInSeconds must be 1 to 86400")
            token = secrets.token_hex(8)
            sandbox.signed[token] = (int(port), time.time() + seconds)
            return exchange.reply(200, {
                "sandboxId": sandbox.id, "port": int(port), "token": token,
                "url": f"http://{port}-{token}.{self.proxy_host()}"})
        raise self.refusal(exchange, 404, f"Cannot GET {exchange.route}")

    def get_build_logs_url(self, exchange, sandbox, _):
        if not sandbox.build:
            raise self.refusal(exchange, 404, "Build logs are not available")
        exchange.reply(200, {"url": f"{self.urls['api']}/api/sandbox/{sandbox.id}/build-logs"})

    def get_build_logs(self, exchange, sandbox, _):
        text = sandbox.build.get("dockerfileContent", "")
        exchange.reply(200, "".join(f"Step: {line}\n" for line in text.splitlines()).encode(),
                       content_type="text/plain")

    def get_telemetry(self, exchange, sandbox, _):
        wanted = exchange.query.get("metricNames")
        values = {"daytona.sandbox.memory.limit": sandbox.memory << 30,
                  "daytona.sandbox.cpu.limit": sandbox.cpu}
        if sandbox.state == "started":
            seconds, used = sandbox.box.call("usage")
            now = time.monotonic()
            since, before = sandbox.recorded
            sandbox.recorded = (now, seconds)
            percent = max(0.0, seconds - before) / max(0.01, now - since) / sandbox.cpu * 100
            values.update({"daytona.sandbox.memory.usage": used,
                           "daytona.sandbox.cpu.utilization": round(min(100.0, percent), 2)})
        exchange.reply(200, {"series": [
            {"metricName": name,
             "dataPoints": [{"timestamp": stamp(time.time()), "value": value}]}
            for name, value in values.items() if not wanted or name in wanted]})

    # The proxy

    def handle_proxy(self, exchange):
        host = exchange.headers.get("Host", "").split(":")[0]
        preview = re.match(r"(\d+)-([0-9a-f-]+)\.", host)
        if preview:
            return self.handle_preview(exchange, int(preview[1]), preview[2])
        parts = re.fullmatch(r"/toolbox/([^/]+)(/.*)", exchange.route)
        if not parts:
            raise base.Refusal(404, b"404 page not found", content_type="text/plain")
        sandbox = self.allowed(exchange, parts[1], parts[2])
        if exchange.headers.get("X-Daytona-Skip-Last-Activity-Update") != "true":
            sandbox.active = time.time()
        sandbox.inside.handle(exchange, parts[2], websocket=True)

    def allowed(self, exchange, name, route):
        sandbox = self.sandboxes.get(name)
        given = exchange.headers.get("Authorization", "")
        cookies = exchange.headers.get("Cookie", "")
        token = exchange.headers.get("X-Daytona-Preview-Token") or \
            exchange.query.get("DAYTONA_SANDBOX_AUTH_KEY", [None])[0]
        if not given and not token and f"daytona-sandbox-auth-{name}" not in cookies:
            raise toolbox.refusal(exchange, route, 401, "missing authentication: provide a "
                                  "preview access token (via header, query parameter, or cookie) "
                                  "or use an API key or JWT", source="DAYTONA_PROXY")
        known = given[7:] in self.settings["keys"] if given else False
        if not sandbox or not (known or token and token == sandbox.token):
            raise toolbox.refusal(exchange, route, 401, "authentication failed: Bearer token is "
                                  "invalid", source="DAYTONA_PROXY")
        return sandbox

    def handle_preview(self, exchange, port, name):
        sandbox = self.sandboxes.get(name)
        if not sandbox:
            for other in list(self.sandboxes.values()):
                if other.signed.get(name, (0, 0))[0] == port and \
                        other.signed[name][1] > time.time():
                    sandbox = other
        elif not sandbox.public:
            if not exchange.headers.get("Authorization") and \
                    not exchange.headers.get("X-Daytona-Preview-Token") and \
                    "DAYTONA_SANDBOX_AUTH_KEY" not in exchange.query:
                raise base.Refusal(307, b"", {"Location": self.urls["api"] + "/login"})
            sandbox = self.allowed(exchange, name, exchange.route)
        if not sandbox:
            raise base.Refusal(307, b"", {"Location": self.urls["api"] + "/login"})
        if port == 2280:
            return sandbox.inside.handle(exchange, exchange.route, websocket=True)
        if sandbox.state != "started" or not base.forward(exchange, port):
            raise toolbox.refusal(exchange, exchange.route, 502, "connection refused",
                                  source="DAYTONA_PROXY")


if __name__ == "__main__":
    Daytona().main()
