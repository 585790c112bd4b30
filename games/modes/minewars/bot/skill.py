"""The skills of a bot, by its strength."""

from __future__ import annotations

from dataclasses import dataclass

from games.bots.roster import Character


@dataclass(frozen=True, slots=True)
class Skill:
    stray: float
    """By how many steps it mistakes which land is nearer to its goal."""
    dares: float
    """It steps on a tile that holds an item with at most this chance."""
    defends: float
    """The probability that it sees at once that the land around its city is in danger."""
    strikes: int
    """The most tiles that it strikes in one order."""
    traps: tuple[str, ...]
    """The items it lays, drawn from these."""
    ring: int
    """The number of items that it wants around each of its cities."""
    flags: bool
    harvests: bool
    prospects: bool
    """Strikes what keeps it from taking a mountain."""
    builds: bool
    """Roads between its cities and towers at the frontier; gives up what is of no use."""
    bridges: bool
    """Bridges and barricades, too."""
    smokes: bool
    reveals: bool


def skill_of(character: Character) -> Skill:
    strength = character.strength
    traps = ["mine"] if strength >= 800 else []
    traps += ["mine", "decoy"] if strength >= 950 else []
    traps += ["mine", "flashbang"] if strength >= 1100 else []
    return Skill(
        stray=max(1.0, (1700 - strength) / 250),
        dares=0.4 if strength >= 950 else 0.5,
        defends=min(1.0, max(0.1, (strength - 600) / 600)),
        strikes=1 if strength < 800 else 3 if strength < 950 else 4 if strength < 1250 else 7,
        traps=tuple(traps),
        ring=0 if strength < 800 else 1 if strength < 950 else 3,
        flags=strength >= 800,
        harvests=strength >= 950,
        prospects=strength >= 950,
        builds=strength >= 1100,
        bridges=strength >= 1250,
        smokes=strength >= 1250,
        reveals=strength >= 1250,
    )
