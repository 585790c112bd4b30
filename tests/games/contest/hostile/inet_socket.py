"""Connects to a server of the host and asks it to listen to a datagram."""
# reason: crashed: RuntimeError: contained

import socket

from attempts import attempt, report
from canary import PORT


class NetworkPlayer:
    name = "network"

    def take_turn(self, state):
        def connect():
            socket.create_connection(("127.0.0.1", PORT), timeout=1)

        def send():
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", PORT))

        attempt("tcp", connect)
        attempt("udp", send)
        attempt("server", lambda: socket.create_server(("127.0.0.1", 0)))
        report()
