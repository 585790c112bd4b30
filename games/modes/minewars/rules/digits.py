"""The digit on an own land tile: items on adjacent tiles that are not own."""

from __future__ import annotations

from games.engine.rng import derive

from .state import State
from .tiles import DECOY, DIGIT, FLASHBANG, IS_LAND, STAR_BIT


def count(state: State, empire: int, cell: int) -> tuple[int, bool]:
    """The true digit, and whether it has a star."""
    owner, item = state.owner, state.item
    starred = (DECOY, FLASHBANG) if state.rules.star_flashbangs else (DECOY,)
    digit, star = 0, False
    for n in state.topo.neighbours[cell]:
        if item[n] and owner[n] != empire:
            digit += 1
            star = star or item[n] in starred
    return digit, star


def is_nonsense(state: State, empire: int, cell: int) -> bool:
    """The empire is blinded, and this tile of it lies next to another's."""
    if state.empires[empire].blind <= state.now:
        return False
    owner = state.owner
    return any(owner[n] not in (0, empire) for n in state.topo.neighbours[cell])


def is_zero(state: State, empire: int, cell: int) -> bool:
    """This own tile shows its owner a true 0: everything around it is known to be safe."""
    owner, item = state.owner, state.item
    for n in state.topo.neighbours[cell]:
        if item[n] and owner[n] != empire:
            return False
    return (
        IS_LAND[state.kind[cell]]
        and cell not in state.smoke
        and cell not in state.city_at
        and not is_nonsense(state, empire, cell)
    )


def digit_bits(state: State, empire: int, cell: int) -> int:
    """The digit as the empire is shown it: the true one, or while blinded never the true one."""
    digit, star = count(state, empire, cell)
    if is_nonsense(state, empire, cell):
        label = f"blind:{empire}:{state.empires[empire].blindings}:{cell}"
        rng = derive(state.setup.seed, label)
        drawn = rng.below(len(state.topo.ring[cell]))
        digit = drawn if drawn < digit else drawn + 1
        star = digit > 0 and rng.below(2) == 1
    return (digit + 1) << DIGIT | (STAR_BIT if star else 0)
