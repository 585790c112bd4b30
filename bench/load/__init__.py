"""The load generator: one for every server, so that the figures can stand side by side.

It speaks each server's own wire protocol on raw WebSockets (picows' client) instead of using each
project's client library: the client's cost is then small and the same for all, and what is
measured is the server.
"""
