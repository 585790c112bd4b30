"""A word to the opponent: quick phrases, free chat where it is allowed, rooms, mutes, reports."""
