"""The analyser at `/analyse/`: what can be known about a position, for pages and programs.

`position.py` reads and writes positions and `answer.py` says what follows from one; both are pure.
`desk.py` has the answers computed in a process beside this one, visitor after visitor.
docs/analyser.md describes it.
"""
