"""The cheap rules: a number by itself, two numbers that overlap, and the bare mine count."""

from __future__ import annotations

from .knowledge import MINE, SAFE, UNKNOWN, Contradiction, Knowledge


def single_point(known: Knowledge) -> None:
    """Settle what a number proves by itself, until no number does."""
    hidden, need = known.hidden, known.need
    expand, touched = known.topology.expand, known.touched
    while known.queue:
        # in rounds, so that a number that changes several times is looked at once
        batch, known.queue = known.queue, set()
        for number in batch:
            mask = hidden[number]
            missing = need[number]
            size = mask.bit_count()
            if 0 < missing < size:
                touched.add(number)
            elif not mask and not missing:
                known.vanished = True
            elif missing == 0:
                known.settle_all(expand(number, mask), SAFE)
            elif missing == size:
                known.settle_all(expand(number, mask), MINE)
            else:
                raise Contradiction(f"the neighbours of cell {number} don't add up")


def subset(known: Knowledge) -> None:
    """Settle what two overlapping numbers prove, until no pair does.

    If one number needs more mines than the other by exactly as many cells as it has for itself,
    those cells are mines, and the other's own cells are safe.
    """
    hidden, need, touched = known.hidden, known.need, known.touched
    topology = known.topology
    single_point(known)
    while touched:
        number = touched.pop()
        mask = hidden[number]
        if not mask:
            continue
        known.changed.add(number)
        for other, own, others in topology.near(number):
            mask_other = hidden[other]
            if not mask_other or other in touched:
                continue  # a pair is looked at once, when the second of the two has its turn
            alone = mask & own
            if alone == mask:
                continue
            alone_other = mask_other & others
            more = need[number] - need[other]
            if more == alone.bit_count():
                cells, clear = alone, alone_other
                if not (cells or clear):
                    continue
                mines_at = topology.expand(number, cells)
                safe_at = topology.expand(other, clear)
            elif -more == alone_other.bit_count():
                mines_at = topology.expand(other, alone_other)
                safe_at = topology.expand(number, alone)
                if not (mines_at or safe_at):
                    continue
            else:
                continue
            known.settle_all(mines_at, MINE)
            known.settle_all(safe_at, SAFE)
            touched.add(number)
            single_point(known)
            break


def mine_count(known: Knowledge) -> None:
    """Settle every undecided cell when the mine count leaves only one choice."""
    left = known.mines_left
    if left is None or not known.unknown or 0 < left < known.unknown:
        return
    if left > known.unknown:
        raise Contradiction("fewer cells than mines left")
    verdict = SAFE if left == 0 else MINE
    known.settle_all([c for c, state in enumerate(known.status) if state == UNKNOWN], verdict)
    single_point(known)
