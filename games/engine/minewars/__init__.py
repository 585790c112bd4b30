"""MineWars: empires on a hexagonal island of mines. docs/rules/minewars.md tells the rules.

`ruleset` holds every number, `presets` the options; `mapgen` and `regions` make the island; `state` is
the match; `sight` knows what each empire sees; `land`, `groups` and `cities` are the ways to own
something; `items`, `economy`, `structures` and `roads` what is done with it; `orders` the
actions with their cooldowns and delays; `views` what leaves the engine; `rules` the mode itself.
"""
