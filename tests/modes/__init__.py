"""Modes from outside, as their authors would write them: Python alone, on the common board."""
