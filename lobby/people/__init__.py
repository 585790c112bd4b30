"""People: whom you follow, who of them is here, player search, challenges to players who are away,
and the live half of the bell."""
