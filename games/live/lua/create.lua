-- Writes entry 0 of a new match. Repeating it changes nothing.
-- KEYS: log, head. ARGV: the set-up. Returns the time of entry 0.
local t = redis.call('HGET', KEYS[2], 't0')
if t then return tonumber(t) end
local now = redis.call('TIME')
local at = string.format('%.0f', now[1] * 1000 + math.floor(now[2] / 1000))
-- Redis has no id 0-0, so entry 0 is 0-1.
redis.call('XADD', KEYS[1], '0-1', at, 'setup\n\n\n' .. ARGV[1])
redis.call('HSET', KEYS[2], 't0', at)
return tonumber(at)
