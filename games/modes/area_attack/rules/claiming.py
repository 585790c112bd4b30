"""Claiming cells: what is allowed, the flood, and the chord."""

from __future__ import annotations

from collections.abc import Iterable

from games.engine.errors import IllegalAction
from games.engine.game import ONLY, Addressed, Event

from .state import DEFAULT, EXPOSED, FREE, State


def check_claim(state: State, seat: int, cell: int) -> None:
    owner = state.owners[cell]
    if owner == EXPOSED:
        raise IllegalAction("exposed_mine", "You can't claim an exposed mine.")
    if owner == seat:
        raise IllegalAction("own_cell", "You already own that cell.")
    if owner != FREE:
        raise IllegalAction("taken", f"Player {owner + 1} owns that cell.")
    if state.stage > DEFAULT and state.areas[seat]:
        owners = state.owners
        if not any(owners[near] == seat for near in state.grid.neighbours[cell]):
            raise IllegalAction("not_adjacent", "You can only claim squares adjacent to your area.")


def check_chord(state: State, seat: int, cell: int) -> None:
    if state.owners[cell] != seat:
        raise IllegalAction("not_yours", "You can only chord on your own cells.")
    flags, owners = state.flags[seat], state.owners
    near_cells = state.grid.neighbours[cell]
    marked = sum(near in flags or owners[near] == EXPOSED for near in near_cells)
    if marked != state.numbers[cell]:
        raise IllegalAction(
            "number_not_met", "Flags and exposed mines around that cell don't match its number."
        )
    if not chord_targets(state, seat, cell):
        raise IllegalAction("nothing_hidden", "There is nothing left to claim around that cell.")


def chord_targets(state: State, seat: int, cell: int) -> list[int]:
    """The hidden neighbours without the player's flag, row by row."""
    flags, owners = state.flags[seat], state.owners
    return [
        near for near in state.grid.neighbours[cell] if owners[near] == FREE and near not in flags
    ]


def take(state: State, seat: int, targets: Iterable[int]) -> tuple[list[Addressed], int | None]:
    """Claim the targets one after another until one is a mine; its cell is returned too.

    A zero floods through zeros and their rim. The flood takes hidden cells only, and spreads
    only from cells that it takes.
    """
    owners, numbers, mines = state.owners, state.numbers, state.mines
    neighbours = state.grid.neighbours
    taken: list[int] = []
    struck = None
    done = 0
    for target in targets:
        if mines[target]:
            struck = target
            break
        if owners[target] != FREE:  # an earlier target's flood took it
            continue
        owners[target] = seat
        taken.append(target)
        while done < len(taken):
            cell = taken[done]
            done += 1
            if not numbers[cell]:
                for near in neighbours[cell]:
                    if owners[near] == FREE:
                        owners[near] = seat
                        taken.append(near)
    if not taken:
        return [], struck
    state.areas[seat] += len(taken)
    for flags in state.flags:
        if flags:
            flags.difference_update(taken)
    claimed: Event = {"type": "claimed", "seat": seat, "cells": taken}
    own: Event = {**claimed, "numbers": [numbers[cell] for cell in taken]}
    only = ONLY[seat]
    return [Addressed(only, own), Addressed(state.hearing - only, claimed)], struck
