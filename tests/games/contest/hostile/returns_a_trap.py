"""Returns an object that never stops answering."""
# reason: took longer than 0.5 s
# turn-timeout: 0.5


class Trap(tuple):
    def __len__(self):
        return 2

    def __getitem__(self, key):
        while True:
            pass


class TrapPlayer:
    name = "trap"

    def take_turn(self, state):
        return Trap((0, 0))
