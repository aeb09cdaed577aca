# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A TCP gate in front of a gRPC server, for what a gRPC server cannot be made to do: cut a
connection in the middle of an answer, reset it, say nothing, answer with a bare HTTP 404."""
import socket
import ssl
import struct
import threading


class Gate:
    def __init__(self, fake, key, target, port=0, tls=None):
        self.fake, self.key, self.target = fake, key, target
        self.tls = None
        if tls:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(tls[1], tls[0])
            self.tls.set_alpn_protocols(["h2"])
        self.listener = socket.create_server(("127.0.0.1", port), backlog=128)
        self.port = self.listener.getsockname()[1]
        self.open, self.lock = set(), threading.Lock()
        threading.Thread(target=self.accept, daemon=True).start()

    def how(self):
        return self.fake.settings["gate"].get(self.key) or {}

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # What lies here is out of the reach of the client's flow control.
            near.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 65536)
            threading.Thread(target=self.serve, args=(near,), daemon=True).start()

    def serve(self, near):
        how = self.how()
        with self.lock:
            self.open.add(near)
        try:
            if how.get("refuse"):
                return self.reset(near)
            if how.get("stall"):
                while near.recv(65536):
                    pass
                return
            if how.get("bare404") or how.get("bare503"):
                if self.tls:
                    with self.lock:
                        self.open.discard(near)
                    near = self.tls.wrap_socket(near, server_side=True)
                    with self.lock:
                        self.open.add(near)
                    # Set anew while the two shook hands: this connection is of before that.
                    if self.how() != how:
                        return
                return self.bare(near, 0x8D if how.get("bare404") else None)
            far = socket.socket()
            far.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
            far.connect(("127.0.0.1", self.target))
            far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self.lock:
                self.open.add(far)
            threading.Thread(target=self.pump, args=(near, far), daemon=True).start()
            self.pump(far, near, how.get("cutAfter"), how.get("resetAfter"))
        except OSError:
            pass
        finally:
            self.close(near)

    def pump(self, source, sink, cut=None, reset=None):
        sent, limit = 0, cut if cut is not None else reset
        try:
            while data := source.recv(65536):
                if limit is not None and sent + len(data) > limit:
                    sink.sendall(data[:limit - sent])
                    if reset is not None:
                        self.reset(sink)
                    break
                sink.sendall(data)
                sent += len(data)
        except OSError:
            pass
        self.close(source)
        self.close(sink)

    def close(self, one):
        with self.lock:
            self.open.discard(one)
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        one.close()

    def reset(self, one):
        try:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        except OSError:
            pass
        with self.lock:
            self.open.discard(one)
        one.close()

    def drop(self):
        """Ends all connections there are."""
        with self.lock:
            left = list(self.open)
        # Not closed here: whoever still reads or writes there would do it on the next connection,
        # which gets the same number.
        for one in left:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def stop(self):
        self.listener.close()
        self.drop()

    @staticmethod
    def bare(near, status):
        """HTTP/2 by hand: every request gets a status and nothing else, as of an edge that does
        not know the route yet."""
        # :status 404 is in HPACK's static table (13); 503 is a literal with the indexed name.
        block = bytes([status]) if status else b"\x08\x03503"
        data = b""

        def frame(kind, flags, stream, payload=b""):
            near.sendall(struct.pack(">I", len(payload))[1:] + bytes([kind, flags])
                         + struct.pack(">I", stream) + payload)

        frame(4, 0, 0)
        preface = 24
        while piece := near.recv(65536):
            data += piece
            if preface and len(data) >= preface:
                data, preface = data[preface:], 0
            while not preface and len(data) >= 9:
                length = int.from_bytes(data[:3], "big")
                if len(data) < 9 + length:
                    break
                kind, flags = data[3], data[4]
                stream = int.from_bytes(data[5:9], "big") & 0x7FFFFFFF
                payload, data = data[9:9 + length], data[9 + length:]
                if kind == 4 and not flags & 1:
                    frame(4, 1, 0)
                elif kind == 6 and not flags & 1:
                    frame(6, 1, 0, payload)
                elif kind == 1:
                    frame(1, 5, stream, block)
