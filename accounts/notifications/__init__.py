"""The bell: what players are told about while they do something else.

`kinds.py` lists what there is to tell, `notify.py` stores a notification and hands it on once the
transaction is committed: `lobby` shows it on the player's pages, `games.push` on their devices.
"""
