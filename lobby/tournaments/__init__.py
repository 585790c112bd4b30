"""Tournaments: arenas, Swiss tournaments and solo arenas (docs/tournaments.md)."""
