"""The operations of the HTTP API, `/api/v1/`, that read: a thin layer over the selectors.

`auth.py` identifies the token, `limits.py` limits the rate, `problems.py` turns errors into problem
documents, `shapes.py` says what goes out and `reading.py` has the operations. `lobby.api` adds the
operations that play, and `minesite.api` puts both together. docs/api.md describes the API.
"""
