-- One process says that it is alive, and hears what it must know before it goes on.
-- KEYS: processes, alive, outages (of one slot)
-- ARGV: process id, 1 when players connect to it, gap (ms), outages known until, dead after (ms)
-- Returns {now, 1 when this process was not known, time of the last serving beat before this one,
--          outages "start:end" after the given time, ids of the living processes}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local at = string.format('%.0f', now)
local added = redis.call('ZADD', KEYS[1], at, ARGV[1])
local alive = redis.call('GET', KEYS[2]) or at
if ARGV[2] == '1' then
  -- Nobody that players connect to was alive since `alive`: the site was down.
  if now - tonumber(alive) > tonumber(ARGV[3]) then
    redis.call('ZADD', KEYS[3], at, alive .. ':' .. at)
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', string.format('%.0f', now - 604800000))
  end
  redis.call('SET', KEYS[2], at)
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - 3600000))
local dead = string.format('%.0f', now - tonumber(ARGV[5]))
return {now, added, tonumber(alive), redis.call('ZRANGEBYSCORE', KEYS[3], '(' .. ARGV[4], '+inf'),
  redis.call('ZRANGEBYSCORE', KEYS[1], dead, '+inf')}
