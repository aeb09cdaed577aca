#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A fake of E2B: its API ("api") and the service inside the sandboxes ("envd"), on two listeners.

Sandboxes are real ones of box.py: commands run, files exist, lives end when they are over. All
sandboxes are behind the one "envd" address, told apart by E2b-Sandbox-Id, as on E2B's shared host.

Settings (POST /__knobs):
  keys          the API keys that are known
  blocked       true: 403, the team is blocked
  v2            false: a server without POST /v2/sandboxes and /v2/sandboxes/{id}/connect
  secondMs      length of a second of a sandbox's life (1000), so that tests need not wait
  concurrency   how many sandboxes may live at once (20)
  largestPage   lists have pages of at most so many (100)
  maxHours      the longest life (24)
  transitionMs  how long a pause takes (0); meanwhile other calls answer 409
  envdVersion   what sandboxes say they run
  eventBytes    output goes out in events of at most so many bytes (1 splits UTF-8 characters)
  deadlineError true: a command's deadline ends its stream with deadline_exceeded, without an end
  keptSeconds   how long a process that has ended can still be followed, without its output (30)
  cutStreams    (once) every open stream of every sandbox is cut, as on a bad way
"""
import sys

sys.dont_write_bytecode = True
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import base64
import datetime
import random
import re
import secrets
import string
import threading
import time
import urllib.parse

import base
import box
import envd

ERRORS = {401: "Invalid API key, please visit https://e2b.dev/docs/api-key for more information.\n"
               "Cannot get the team for the given API key"}
TEMPLATES = {"base": "rki5dems9wqfm4r03t7g", "code-interpreter-v1": "nlhz8vlwyupq845jsdg9"}


def refusal(code, message, headers=None, **more):
    return base.Refusal(code, {"code": code, "message": message, **more}, headers)


def stamp(seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


class Sandbox:
    def __init__(self, fake, template, asked, secure, original=None):
        letters = string.ascii_lowercase + string.digits
        self.id = "i" + "".join(random.choices(letters, k=20))
        self.fake, self.template, self.asked = fake, template, asked
        self.metadata = asked.get("metadata") or {}
        self.env = asked.get("envVars") or {}
        self.auto_pause = bool(asked.get("autoPause"))
        self.auto_pause_memory = asked.get("autoPauseMemory", True)
        self.auto_resume = bool((asked.get("autoResume") or {}).get("enabled"))
        self.internet = asked.get("allow_internet_access")
        self.network = asked.get("network")
        self.token = secrets.token_hex(20) if secure else None
        public = (self.network or {}).get("allowPublicTraffic", True)
        self.traffic_token = None if public else secrets.token_hex(16)
        self.state, self.cold = "running", False
        self.busy = False
        self.epoch = 0  # open streams of an earlier one are cut
        self.created = self.started = time.time()
        self.ends = 0
        self.log, self.samples, self.measured = [], [], (time.time(), 0.0)
        self.inside = envd.Envd(self)
        self.box = box.Box(fake.root / self.id, extra=envd.INSIDE)
        if original:
            self.box.copy_files(original.box)
        self.box.start()
        self.say("sandbox created")
        self.sample()

    def say(self, message):
        self.log.append((time.time(), message))

    def live(self, seconds, extend_only=False):
        ends = time.time() + seconds * self.fake.second
        self.ends = max(self.ends, ends) if extend_only else ends

    def pause(self, memory=True):
        self.busy = True
        self.epoch += 1
        if self.fake.settings["transitionMs"]:
            time.sleep(self.fake.settings["transitionMs"] / 1000)
        self.box.freeze()
        self.cold = not memory
        self.state, self.busy, self.ends = "paused", False, time.time()
        self.say("sandbox paused")

    def resume(self):
        if self.cold:
            self.box.stop()
            self.box.start()
            self.inside.forget()
        else:
            self.box.thaw()
        self.state, self.started = "running", time.time()
        self.say("sandbox resumed")

    def kill(self):
        self.epoch += 1
        self.state = "killed"
        self.box.destroy()

    def sample(self):
        _, total, cache = self.box.memory()
        disk_total, disk_used = self.box.call("disk")
        seconds, used = self.box.call("usage")
        now = time.time()
        # Of two processors, since the sample before.
        since, before = self.measured
        self.measured = (now, seconds)
        percent = max(0.0, seconds - before) / max(0.01, now - since) / 2 * 100
        self.samples.append({
            "timestamp": stamp(now), "timestampUnix": int(now), "cpuCount": 2,
            "cpuUsedPct": round(min(100.0, percent), 2), "memUsed": used, "memTotal": total,
            "memCache": cache, "diskUsed": disk_used, "diskTotal": disk_total})

    def made(self):
        told = {"templateID": TEMPLATES[self.template], "sandboxID": self.id,
                "clientID": "6532622b", "envdVersion": self.fake.settings["envdVersion"],
                "alias": self.template, "trafficAccessToken": self.traffic_token, "domain": None}
        if self.token:
            told["envdAccessToken"] = self.token
        return told

    def listed(self):
        return {"templateID": TEMPLATES[self.template], "alias": self.template,
                "sandboxID": self.id, "clientID": "6532622b", "startedAt": stamp(self.started),
                "endAt": stamp(self.ends), "cpuCount": 2, "memoryMB": 512, "diskSizeMB": 1024,
                "metadata": self.metadata, "state": self.state,
                "envdVersion": self.fake.settings["envdVersion"]}

    def detail(self):
        told = {**self.listed(), "allowInternetAccess": self.internet, "domain": None,
                "lifecycle": {"autoResume": self.auto_resume,
                              "onTimeout": "pause" if self.auto_pause else "kill"}}
        if self.token:
            told["envdAccessToken"] = self.token
        return told


class E2b(base.Fake):
    surfaces = ("api", "envd")
    defaults = {"keys": ["e2b_" + "0" * 40], "blocked": False, "v2": True, "secondMs": 1000,
                "concurrency": 20, "largestPage": 100, "maxHours": 24, "transitionMs": 0, "envdVersion": "0.6.13",
                "eventBytes": 32768, "deadlineError": False, "keptSeconds": 30}

    def __init__(self, argv=None):
        box.require()
        super().__init__(argv)
        self.sandboxes = {}
        threading.Thread(target=self.end_lives, daemon=True).start()

    @property
    def second(self):
        return self.settings["secondMs"] / 1000

    def stop(self):
        for sandbox in list(self.sandboxes.values()):
            sandbox.kill()

    def end_lives(self):
        while not self.ending.wait(0.05):
            for sandbox in list(self.sandboxes.values()):
                if sandbox.state != "running" or sandbox.busy or time.time() < sandbox.ends:
                    continue
                if sandbox.auto_pause:
                    sandbox.pause(sandbox.auto_pause_memory)
                else:
                    with self.lock:
                        self.sandboxes.pop(sandbox.id, None)
                    sandbox.kill()

    def turned(self, knobs):
        if knobs.get("cutStreams"):
            for sandbox in list(self.sandboxes.values()):
                sandbox.epoch += 1

    def handle(self, surface, exchange):
        if surface == "envd":
            self.handle_envd(exchange)
        elif exchange.route == "/health":
            exchange.reply(200, b"Health check successful", content_type="text/plain")
        else:
            self.authorize(exchange)
            self.handle_api(exchange)

    # The API

    def authorize(self, exchange):
        key = exchange.headers.get("X-API-Key")
        if not key:
            raise refusal(401, "authorization header is missing")
        if key not in self.settings["keys"]:
            raise refusal(401, ERRORS[401])
        if self.settings["blocked"]:
            raise refusal(403, "team is blocked: missing payment method")

    def handle_api(self, exchange):
        call = (exchange.command, exchange.route)
        if call in (("POST", "/sandboxes"), ("POST", "/v2/sandboxes")):
            return self.create(exchange, v2=exchange.route.startswith("/v2"))
        if call == ("GET", "/v2/sandboxes"):
            return self.list(exchange)
        if call == ("GET", "/sandboxes"):
            return exchange.reply(200, [s.listed() for s in self.found(exchange, ["running"])])
        if call == ("GET", "/sandboxes/metrics"):
            ids = exchange.query.get("sandbox_ids", [""])[0].split(",")
            return exchange.reply(200, {"sandboxes": {
                i: self.measured(self.sandboxes[i])[-1] for i in ids if i in self.sandboxes}})
        parts = re.fullmatch(r"(/v2)?/sandboxes/([a-z0-9]+)(?:-[a-z0-9]+)?(?:/(\w+))?",
                             exchange.route)
        version, name, verb = parts.groups() if parts else (None, None, None)
        known = {("GET", None, None): self.info, ("DELETE", None, None): self.kill,
                 ("POST", "connect", None): self.connect, ("POST", "connect", "/v2"): self.connect,
                 ("POST", "resume", None): self.connect, ("POST", "fork", None): self.fork, ("POST", "timeout", None): self.timeout,
                 ("POST", "refreshes", None): self.refresh, ("POST", "pause", None): self.pause,
                 ("GET", "metrics", None): self.metrics, ("GET", "logs", "/v2"): self.logs}
        method = known.get((exchange.command, verb, version)) if parts else None
        if not method or (version and verb == "connect" and not self.settings["v2"]):
            raise refusal(404, "no matching operation was found")
        sandbox = self.sandboxes.get(name)
        if not sandbox or sandbox.state == "killed":
            raise refusal(404, f'Sandbox "{name}" doesn\'t exist or you don\'t have access to it')
        method(exchange, sandbox)

    def checked_timeout(self, asked, default):
        seconds = asked.get("timeout", default)
        if not isinstance(seconds, int) or isinstance(seconds, bool) or seconds < 0:
            raise refusal(400, "Error when parsing request: timeout must be a number of seconds")
        if seconds > self.settings["maxHours"] * 3600:
            raise refusal(400, "Timeout cannot be greater than "
                               f"{self.settings['maxHours']} hours")
        return seconds

    def create(self, exchange, v2):
        if v2 and not self.settings["v2"]:
            raise refusal(404, "no matching operation was found")
        asked = exchange.json()
        name = asked.get("templateID")
        if not name:
            raise refusal(400, "Error when parsing request: templateID is required")
        aliases = {**{t: t for t in TEMPLATES}, **{i: t for t, i in TEMPLATES.items()}}
        template = aliases.get(name.split("/")[-1].split(":")[0])
        if not template:
            raise refusal(404, f"template '{name}' not found")
        seconds = self.checked_timeout(asked, 300 if v2 else 15)
        if asked.get("autoPauseMemory") is False and not asked.get("autoPause"):
            raise refusal(400, "validation error: autoPauseMemory needs autoPause")
        for member in ("metadata", "envVars"):
            values = asked.get(member) or {}
            if not isinstance(values, dict) or \
                    not all(isinstance(v, str) for v in values.values()):
                raise refusal(400, f"validation error: {member} must map text to text")
        with self.lock:
            if sum(s.state == "running" for s in self.sandboxes.values()) >= \
                    self.settings["concurrency"]:
                raise refusal(429, "you have reached the maximum number of concurrent E2B "
                                   f"sandboxes ({self.settings['concurrency']})")
        sandbox = Sandbox(self, template, asked, v2 or bool(asked.get("secure")))
        sandbox.live(seconds)
        with self.lock:
            self.sandboxes[sandbox.id] = sandbox
        exchange.reply(201, sandbox.made())

    def fork(self, exchange, original):
        """Copies with the original's files and metadata. Of its memory they have nothing: processes
        cannot be copied here."""
        asked = exchange.json()
        seconds, count = self.checked_timeout(asked, 300), asked.get("count", 1)
        if not isinstance(count, int) or not 1 <= count <= 100:
            raise refusal(400, "validation error: count must be 1 to 100")
        self.running(original)
        answers = []
        for _ in range(count):
            with self.lock:
                full = sum(s.state == "running" for s in self.sandboxes.values()) >= \
                    self.settings["concurrency"]
            if full:
                answers.append({"error": {"code": 429, "message": "you have reached the maximum "
                                          "number of concurrent E2B sandboxes"}})
                continue
            made = Sandbox(self, original.template, original.asked, bool(original.token), original)
            made.live(seconds)
            with self.lock:
                self.sandboxes[made.id] = made
            answers.append({"sandbox": made.made()})
        exchange.reply(201, answers)

    def found(self, exchange, states):
        """Those that match the query's metadata, newest first."""
        text = exchange.query.get("metadata", [""])[0]
        wanted = {urllib.parse.unquote(k): urllib.parse.unquote(v)
                  for k, v in urllib.parse.parse_qsl(text, keep_blank_values=True)}
        found = [s for s in list(self.sandboxes.values())
                 if s.state in states and wanted.items() <= s.metadata.items()]
        return sorted(found, key=lambda s: (s.created, s.id), reverse=True)

    def list(self, exchange):
        query = {key: values[0] for key, values in exchange.query.items()}
        states = query.get("state", "running,paused").split(",")
        try:
            limit = int(query.get("limit", "100"))
        except ValueError:
            limit = 0
        if not 1 <= limit <= 100 or not set(states) <= {"running", "paused"} or \
                "state" in query and len(exchange.query["state"]) > 1:
            raise refusal(400, "validation error: limit must be 1 to 100, state known")
        limit = min(limit, self.settings["largestPage"])
        found = self.found(exchange, states)
        headers = {}
        if "running" in states:
            headers["X-Total-Running"] = str(sum(s.state == "running" for s in found))
        if "template" in query:
            found = [s for s in found if query["template"] in (s.template, TEMPLATES[s.template])]
        if query.get("order") == "asc":
            found.reverse()
        if "nextToken" in query:
            try:
                last = base64.b64decode(query["nextToken"], validate=True).decode().split("__")[1]
                at = [s.id for s in found].index(last) + 1
            except (ValueError, IndexError):
                raise refusal(400, "validation error: invalid next token")
            found = found[at:]
        if len(found) > limit:
            last = found[limit - 1]
            headers["X-Next-Token"] = base64.b64encode(
                f"{stamp(last.created)}__{last.id}".encode()).decode()
        exchange.reply(200, [s.listed() for s in found[:limit]], headers)

    def info(self, exchange, sandbox):
        exchange.reply(200, sandbox.detail())

    def kill(self, exchange, sandbox):
        with self.lock:
            if not self.sandboxes.pop(sandbox.id, None):
                raise refusal(404, "Sandbox is gone")
        sandbox.kill()
        exchange.reply(204)

    def transition_refused(self, sandbox):
        if sandbox.busy:
            raise refusal(409, f"Sandbox {sandbox.id} is currently being paused, try again")

    def connect(self, exchange, sandbox):
        asked = exchange.json()
        old, resume = exchange.route.startswith("/sandboxes"), exchange.route.endswith("/resume")
        if old and not resume and "timeout" not in asked:
            raise refusal(400, "Error when parsing request: timeout is required")
        seconds = self.checked_timeout(asked, 15 if resume else 300)
        with self.lock:
            self.transition_refused(sandbox)
            paused = sandbox.state == "paused"
            if paused:
                sandbox.cold = sandbox.cold or asked.get("memory") is False
                sandbox.resume()
            elif resume:
                raise refusal(409, f"Sandbox {sandbox.id} is already running")
            if paused:
                sandbox.live(seconds)
            else:
                sandbox.live(seconds, extend_only=True)
        exchange.reply(201 if paused else 200, sandbox.made())

    def running(self, sandbox):
        self.transition_refused(sandbox)
        if sandbox.state != "running":
            raise refusal(404, f'Sandbox "{sandbox.id}" is not running')

    def timeout(self, exchange, sandbox):
        asked = exchange.json()
        if "timeout" not in asked:
            raise refusal(400, "Error when parsing request: timeout is required")
        self.running(sandbox)
        longest = self.settings["maxHours"] * 3600
        sandbox.live(min(int(asked["timeout"]), longest))
        exchange.reply(204)

    def refresh(self, exchange, sandbox):
        seconds = exchange.json().get("duration", 15)
        if not 0 <= seconds <= 3600:
            raise refusal(400, "validation error: duration must be 0 to 3600")
        self.running(sandbox)
        sandbox.live(max(15, seconds), extend_only=True)
        exchange.reply(204)

    def pause(self, exchange, sandbox):
        memory = exchange.json().get("memory", True)
        with self.lock:
            self.transition_refused(sandbox)
            if sandbox.state == "paused":
                raise refusal(409, f"Error pausing sandbox - sandbox '{sandbox.id}' is already "
                                   "paused")
            sandbox.busy = True
        sandbox.pause(memory)
        exchange.reply(204)

    def measured(self, sandbox):
        if sandbox.state == "running":
            sandbox.sample()
        return sandbox.samples

    def metrics(self, exchange, sandbox):
        start = int(exchange.query.get("start", ["0"])[0])
        end = int(exchange.query.get("end", ["99999999999"])[0])
        exchange.reply(200, [m for m in self.measured(sandbox)
                             if start <= m["timestampUnix"] <= end])

    def logs(self, exchange, sandbox):
        limit = int(exchange.query.get("limit", ["1000"])[0])
        exchange.reply(200, {"logs": [
            {"timestamp": stamp(t), "level": "info", "message": text, "fields": {}}
            for t, text in sandbox.log[:limit]]})

    # The way to the sandboxes

    def handle_envd(self, exchange):
        host = exchange.headers.get("Host", "").split(":")[0]
        named = re.match(r"(\d+)-([a-z0-9]+)\.", host)
        if named:
            port, name = named.groups()
        else:
            name = exchange.headers.get("E2b-Sandbox-Id", "")
            port = exchange.headers.get("E2b-Sandbox-Port", "")
        name = name.split("-")[0]
        if not name or not port.isdigit():
            raise base.Refusal(400, b"Invalid host", content_type="text/plain")
        sandbox = self.sandboxes.get(name)
        if sandbox and sandbox.busy:
            raise refusal(409, "The sandbox is changing its state", sandboxId=name)
        if sandbox and sandbox.state == "paused" and sandbox.auto_resume:
            with self.lock:
                if sandbox.state == "paused":
                    sandbox.resume()
                    sandbox.live(300)
        if not sandbox or sandbox.state != "running":
            raise self.proxy_refusal(exchange, {"sandboxId": name, "code": 502,
                                                "message": "The sandbox was not found"})
        given = exchange.headers.get("e2b-traffic-access-token")
        if sandbox.traffic_token and given != sandbox.traffic_token:
            raise refusal(403, "Sandbox is not publicly accessible", sandboxId=name)
        if port == "49983":
            sandbox.inside.handle(exchange)
        elif not base.forward(exchange, int(port)):
            raise self.proxy_refusal(exchange, {
                "sandboxId": name, "port": int(port), "code": 502,
                "message": "The sandbox is running but port is not open"})

    @staticmethod
    def proxy_refusal(exchange, body):
        """Browsers get a page; the proxy looks at the User-Agent."""
        agent = exchange.headers.get("User-Agent", "").lower()
        accepts = exchange.headers.get("Accept", "")
        if "json" not in accepts and re.search("mozilla|chrome|safari", agent):
            return base.Refusal(502, b"<html><body>Sandbox not found</body></html>",
                                content_type="text/html; charset=utf-8")
        return base.Refusal(502, body, content_type="application/json; charset=utf-8")


if __name__ == "__main__":
    E2b().main()
