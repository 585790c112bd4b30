"""What a bot does, by its strength."""

from __future__ import annotations

from dataclasses import dataclass

from games.bots.roster import Character


@dataclass(frozen=True, slots=True)
class Skill:
    aims: bool
    """Expands towards a city instead of anywhere."""
    defends: float
    """How likely it sees at once that the land around its city is in danger."""
    strikes: int
    """How many tiles it strikes in one order at most."""
    traps: tuple[str, ...]
    """The items it lays, drawn from these."""
    ring: int
    """How many items it wants around each of its cities."""
    harvests: bool
    builds: bool
    """Roads between its cities and towers at the frontier."""
    smokes: bool
    reveals: bool


def skill_of(character: Character) -> Skill:
    strength = character.strength
    traps = ["mine"] if strength >= 800 else []
    traps += ["mine", "decoy"] if strength >= 950 else []
    traps += ["mine", "flashbang"] if strength >= 1250 else []
    return Skill(
        aims=strength >= 800,
        defends=min(1.0, max(0.1, (strength - 600) / 600)),
        strikes=1 if strength < 800 else 2 if strength < 950 else 4 if strength < 1250 else 7,
        traps=tuple(traps),
        ring=0 if strength < 800 else 2 if strength < 950 else 3,
        harvests=strength >= 950,
        builds=strength >= 1100,
        smokes=strength >= 1250,
        reveals=strength >= 1400,
    )
