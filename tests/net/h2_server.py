# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A gRPC server without schemas, for the client's HTTP/2. Prints its port."""

import sys
import threading
from concurrent import futures

import grpc


class Anything(grpc.GenericRpcHandler):
    def service(self, details):
        def plain(value):
            return value

        method = details.method.rsplit("/", 1)[-1]
        return grpc.stream_stream_rpc_method_handler(getattr(self, method), plain, plain)

    def Echo(self, pieces, context):
        """Answers each message at once, and ends after "end"."""
        yield b"ready"
        for piece in pieces:
            if piece == b"end":
                break
            yield b"<" + piece + b">"
        context.set_trailing_metadata((("x-tail", "1"),))

    def Refuse(self, pieces, context):
        context.abort(grpc.StatusCode.NOT_FOUND, "no such thing")

    def Count(self, pieces, context):
        """Ends when the client's side does; tells how many bytes came."""
        yield str(sum(len(piece) for piece in pieces)).encode()

    def Hang(self, pieces, context):
        gone = threading.Event()
        context.add_callback(gone.set)
        yield b"hanging"
        gone.wait(20)
        print("gone", flush=True)


server = grpc.server(futures.ThreadPoolExecutor(8))
server.add_generic_rpc_handlers((Anything(),))
print(server.add_insecure_port("127.0.0.1:0"), flush=True)
server.start()
sys.stdin.read()
