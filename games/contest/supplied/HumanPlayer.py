"""Asks a person at the console."""

SIGNS = {"unknown": ".", "flag": "F", "mine": "X", 0: " "}


class HumanPlayer:
    name = "Human"

    def take_turn(self, state):
        show(state)
        while True:
            answer = input("x y to reveal, x y f to flag: ").replace(",", " ").split()
            if len(answer) in (2, 3) and all(word.isdecimal() for word in answer[:2]):
                x, y = int(answer[0]), int(answer[1])
                if y < len(state) and x < len(state[0]):
                    return (x, y, True) if len(answer) == 3 else (x, y)
            print("That is not a cell of the board.")


def show(state):
    columns = range(len(state[0]))
    print("    " + "".join(f"{x:>3}" for x in columns))
    for y, row in enumerate(state):
        print(f"{y:>3} " + "".join(f"{SIGNS.get(cell, cell):>3}" for cell in row))
