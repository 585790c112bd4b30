"""Writes to the referee's terminal with the text of an exception."""
# reason: crashed: RuntimeError: \]0;owned\[2J\[31mWON


class ColourfulPlayer:
    name = "colourful"

    def take_turn(self, state):
        raise RuntimeError("\x1b]0;owned\x07\x1b[2J\x1b[31m\u202eWON\r\n" + "x" * 10**6)
