"""Computes on demand, from the log of a finished match: the data of its
replay, and the judgement of its moves.

A page asks (`asking.py`), which puts a job on a bounded queue in Redis (`queue.py`); the worker
takes it (`worker.py`), has it computed by a process of its own (games/compute.py runs
`replay_data.compute` or `analysis.compute`) and stores the result in the database (`results.py`),
once for everybody who asks. No web process plays a finished match again.
"""
