"""MineWars: empires on a hexagonal island of mines. games/modes/minewars/RULES.md tells the rules.

`ruleset` holds every number, `presets` the options; `mapgen` and `regions` make the island,
`opening` the set-up; `state` is the match; `ground` changes tiles, `sight` knows who sees them;
`land`, `groups` and `cities` are the ways to own something; `items`, `economy`, `structures` and
`roads` what is done with it; `orders` the actions with their cooldowns and delays; `views` what
leaves the engine; `rules` the mode itself.
"""
