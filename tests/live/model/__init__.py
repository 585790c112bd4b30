"""A model of the log's protocol: real logs, simulated Redis, every kind of bad luck.

`redis.py` simulates a stream with replicas, `process.py` drives a `Log` as a web process does,
`world.py` is three of them with their clients and says what may happen next, `explorer.py` tries
all short schedules, `bugs.py` has mistakes that the model must find.
"""
