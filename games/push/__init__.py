"""Notifications to players who look elsewhere, through the push services of their browsers.

`jobs.py` puts them on a list in Redis; the worker's job in `sender.py` takes them off, writes the
texts (`kinds.py`) and sends them (`posting.py`). `accounts/push.py` knows the browsers.
"""
