"""The lobby's keys in Redis, its clock, and the scripts that change several keys as one.

All keys share the hash tag `{lobby}`, so that a cluster keeps them on one shard.

| key | what |
|---|---|
| `tickets` | hash: ticket id -> ticket |
| `alive` | sorted set: ticket id -> when it expires |
| `offered` | set: tickets whose holder was asked whether a bot may join |
| `who` | hash: identity -> its ticket |
| `queue:<name>` | sorted set: ticket id -> queued since |
| `playing` | hash: identity -> the one match it is in |
| `made` | hash: match id -> the plan of a match, from the decision until its end |
| `pending` | sorted set: match ids that are decided but perhaps not created yet |
| `result:<ticket>` | what became of a ticket |
| `bots` | list: new matches with seats for house bots, until a worker takes each |
| `misses:<identity>`, `barred:<identity>` | no-shows, and until when one may not queue |
| `again:`, `challenge:`, `invite:` | one small state each, see rematch, challenges, invitations |
| `due` | sorted set: states that end at a time by themselves |
| `wake` | list: not empty when a wave should be run now |
| `closed` | there while the queues are closed |
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from games.redis import key, redis

_SHARED: Final = """
local L = KEYS[1]
local function put(raw, expires)
  local t = cjson.decode(raw)
  redis.call('HSET', L..'tickets', t.id, raw)
  redis.call('ZADD', L..'alive', expires, t.id)
  redis.call('HSET', L..'who', t.player.identity, t.id)
  for _, q in ipairs(t.queues) do
    redis.call('ZADD', L..'queue:'..q, string.format('%.0f', t.queued_at), t.id)
  end
end
local function drop(id)
  local raw = redis.call('HGET', L..'tickets', id)
  if not raw then return false end
  local t = cjson.decode(raw)
  for _, q in ipairs(t.queues) do redis.call('ZREM', L..'queue:'..q, id) end
  redis.call('HDEL', L..'tickets', id)
  redis.call('ZREM', L..'alive', id)
  redis.call('SREM', L..'offered', id)
  if redis.call('HGET', L..'who', t.player.identity) == id then
    redis.call('HDEL', L..'who', t.player.identity)
  end
  return raw
end
local function decide(match, plan, now)
  redis.call('HSET', L..'made', match, plan)
  redis.call('ZADD', L..'pending', now, match)
end
"""

PUT: Final = (
    _SHARED
    + """
-- identity, the ticket it is believed to have or '', the new one, when that expires; now, and
-- the group in which the player is seen
local busy = redis.call('HGET', L..'playing', ARGV[1])
if busy then return {'busy', busy} end
if (redis.call('HGET', L..'who', ARGV[1]) or '') ~= ARGV[2] then return {'changed'} end
if ARGV[2] ~= '' then drop(ARGV[2]) end
put(ARGV[3], ARGV[4])
redis.call('ZADD', L..'online:'..ARGV[6], ARGV[5], ARGV[1])
return {'ok'}
"""
)

DROP: Final = _SHARED + "return drop(ARGV[1])"

EXPIRE: Final = (
    _SHARED
    + """
-- ticket, now: drop it unless it was refreshed meanwhile
local expires = redis.call('ZSCORE', L..'alive', ARGV[1])
if expires and tonumber(expires) <= tonumber(ARGV[2]) then return drop(ARGV[1]) end
return false
"""
)

FADE: Final = (
    _SHARED
    + """
-- identity, how long its ticket is kept: unless a text connection holds it
local id = redis.call('HGET', L..'who', ARGV[1])
if not id then return 0 end
local raw = redis.call('HGET', L..'tickets', id)
if not raw or cjson.decode(raw).player.text then return 0 end
local time = redis.call('TIME')
local expires = time[1] * 1000 + math.floor(time[2] / 1000) + ARGV[2]
return redis.call('ZADD', L..'alive', 'XX', 'LT', 'CH', string.format('%.0f', expires), id)
"""
)

CLAIM: Final = (
    _SHARED
    + """
-- now, how long a ticket is kept for a holder who is away, match, plan, then ticket and rev of
-- each: all of them, as they were seen and with a holder who is here, or nothing
local here = tonumber(ARGV[1]) + tonumber(ARGV[2])
local identities = {}
for i = 5, #ARGV, 2 do
  local raw = redis.call('HGET', L..'tickets', ARGV[i])
  if not raw then return 0 end
  local t = cjson.decode(raw)
  if t.rev ~= ARGV[i + 1] then return 0 end
  if tonumber(redis.call('ZSCORE', L..'alive', ARGV[i])) <= here then return 0 end
  if redis.call('HEXISTS', L..'playing', t.player.identity) == 1 then return 0 end
  identities[#identities + 1] = t.player.identity
end
for i = 5, #ARGV, 2 do drop(ARGV[i]) end
for _, identity in ipairs(identities) do
  redis.call('HSET', L..'playing', identity, ARGV[3])
end
decide(ARGV[3], ARGV[4], ARGV[1])
return 1
"""
)

CHANGE: Final = (
    _SHARED
    + """
-- name of a state, old value or '', new value, ttl, now, match or '', plan, the match these
-- players come from or '', their identities
if (redis.call('GET', L..ARGV[1]) or '') ~= ARGV[2] then return {'changed'} end
if ARGV[6] ~= '' then
  for i = 9, #ARGV do
    local match = redis.call('HGET', L..'playing', ARGV[i])
    if match and match ~= ARGV[8] then return {'busy', ARGV[i], match} end
  end
  for i = 9, #ARGV do
    local ticket = redis.call('HGET', L..'who', ARGV[i])
    if ticket then drop(ticket) end
    redis.call('HSET', L..'playing', ARGV[i], ARGV[6])
  end
  decide(ARGV[6], ARGV[7], ARGV[5])
end
redis.call('SET', L..ARGV[1], ARGV[3], 'PX', ARGV[4])
return {'ok'}
"""
)

SETTLE: Final = (
    _SHARED
    + """
-- match, now, a JSON object: identities, tickets to re-queue, absent players, and the waits in s
if redis.call('HDEL', L..'made', ARGV[1]) == 0 then return false end
redis.call('ZREM', L..'pending', ARGV[1])
local given = cjson.decode(ARGV[3])
for _, identity in ipairs(given.identities) do
  if redis.call('HGET', L..'playing', identity) == ARGV[1] then
    redis.call('HDEL', L..'playing', identity)
  end
end
for _, identity in ipairs(given.missed) do
  local count = redis.call('INCR', L..'misses:'..identity)
  redis.call('EXPIRE', L..'misses:'..identity, given.remember)
  local wait = given.waits[math.min(count, #given.waits)]
  if wait > 0 then redis.call('SET', L..'barred:'..identity, '1', 'EX', wait) end
end
local back = {}
for _, raw in ipairs(given.tickets) do
  local t = cjson.decode(raw)
  local identity = t.player.identity
  if redis.call('HEXISTS', L..'who', identity) == 0
     and redis.call('HEXISTS', L..'playing', identity) == 0 then
    redis.call('DEL', L..'result:'..t.id)
    put(raw, string.format('%.0f', tonumber(ARGV[2]) + t.ttl_ms))
    back[#back + 1] = t.id
  end
end
return back
"""
)

RELEASE: Final = """
-- identity, match: this player is out of a match that goes on without them
if redis.call('HGET', KEYS[1]..'playing', ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1]..'playing', ARGV[1])
"""


def named(name: str) -> str:
    """The full name of one of the lobby's keys."""
    return key(f"{{lobby}}:{name}")


async def run(script: str, *args: str | bytes | int) -> Any:
    """Run a script of this module; it sees all keys of the lobby, and nothing happens between."""
    return await redis().register_script(script)(keys=[named("")], args=args)


async def run_each(script: str, calls: Iterable[Sequence[str | bytes | int]]) -> list[Any]:
    """Run a script for each of these arguments, in order and in one round trip."""
    registered = redis().register_script(script)
    async with redis().pipeline(transaction=False) as pipe:
        for args in calls:
            await registered(keys=[named("")], args=args, client=pipe)
        answers: list[Any] = await pipe.execute()
    return answers


async def now_ms() -> int:
    """Redis' clock, which all processes share."""
    return in_ms(await redis().time())


def in_ms(time: tuple[int, int]) -> int:
    """The answer to TIME in milliseconds."""
    seconds, micros = time
    return int(seconds) * 1000 + int(micros) // 1000
