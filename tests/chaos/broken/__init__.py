"""Deliberate bugs, so that it is known that the checker finds them. `CHAOS_BUG` names one."""
