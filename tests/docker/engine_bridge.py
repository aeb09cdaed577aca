#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 Berth contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Other ways to an engine's unix socket, as real servers offer them.

engine_bridge.py stdio SOCKET
    standard input and output, as "docker system dial-stdio" does
engine_bridge.py tcp SOCKET
engine_bridge.py tls SOCKET CERTIFICATE KEY [CLIENT-AUTHORITY]
    a port of 127.0.0.1, which is printed; with an authority only clients with its certificate
"""

import os
import socket
import ssl
import sys
import threading


def engine(path):
    far = socket.socket(socket.AF_UNIX)
    far.connect(path)
    return far


def stdio(path):
    far = engine(path)

    def send():
        while data := os.read(0, 65536):
            far.sendall(data)
        far.shutdown(socket.SHUT_WR)

    threading.Thread(target=send, daemon=True).start()
    while data := far.recv(65536):
        while data:
            data = data[os.write(1, data):]


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for one in (source, target):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(near, path, context):
    try:
        if context:
            near = context.wrap_socket(near, server_side=True)
            # With TLS 1.3 the client's certificate is looked at in the first read.
    except OSError:
        near.close()
        return
    far = engine(path)
    threading.Thread(target=copy, args=(far, near), daemon=True).start()
    copy(near, far)


def port(path, context):
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(64)
    print(server.getsockname()[1], flush=True)
    while True:
        near, _ = server.accept()
        threading.Thread(target=serve, args=(near, path, context), daemon=True).start()


def main():
    mode, path = sys.argv[1:3]
    if mode == "stdio":
        stdio(path)
        return
    context = None
    if mode == "tls":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
        if len(sys.argv) > 5:
            context.load_verify_locations(sys.argv[5])
            context.verify_mode = ssl.CERT_REQUIRED
    port(path, context)


main()
