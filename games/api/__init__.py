"""The HTTP API, `/api/v1/`: a thin layer over selectors and the lobby. docs/api.md describes it.

`auth.py` says who asks, `limits.py` how often, `problems.py` how errors look, `shapes.py` what goes
out; the other files are the operations, one subject each.
"""
