-- A process begins or ceases to host a match, or tells how many spectators it has.
-- KEYS: hosts, head, log. ARGV: spectators (empty: not a host any more), process ids
-- Returns the number of hosts; -1 when there is no such match.
if redis.call('EXISTS', KEYS[2]) == 0 then return -1 end
for i = 2, #ARGV do
  if ARGV[1] == '' then
    redis.call('HDEL', KEYS[1], ARGV[i])
  else
    redis.call('HSET', KEYS[1], ARGV[i], ARGV[1])
  end
end
-- Of an archived match the head expires, and with it who hosts it.
local left = redis.call('PTTL', KEYS[2])
if left > 0 then redis.call('PEXPIRE', KEYS[1], left) end
local hosts = redis.call('HLEN', KEYS[1])
redis.call('HSET', KEYS[2], 'hosts', hosts)
-- Whoever believed to be the only host writes the next entry as `<seq>-0`. A bar at that id makes
-- Redis refuse it, so that the append script looks who must be told.
if hosts > 1 and redis.call('HEXISTS', KEYS[2], 'over') == 0 then
  redis.pcall('XSETID', KEYS[3], redis.call('XLEN', KEYS[3]) .. '-0')
end
return hosts
