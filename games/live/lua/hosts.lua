-- A process begins or ceases to host a match, or tells how many spectators it has.
-- KEYS: hosts, head, log. ARGV: spectators (empty: not a host any more), process ids
-- Returns the number of hosts; -1 when there is no such match.
if redis.call('EXISTS', KEYS[2]) == 0 then return -1 end
local is_new = false
for i = 2, #ARGV do
  is_new = is_new or (ARGV[1] ~= '' and redis.call('HEXISTS', KEYS[1], ARGV[i]) == 0)
end
-- A row that says nothing: whoever believes to be the only host writes behind the last row that it
-- knows, which is not the last any more, so that the append script looks who must be told. Nobody
-- guesses its second part (see append.lua). It comes first: if it can't be written, nothing is.
local last = is_new and redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
if last then
  local seq, part = string.match(last[1], '^(%d+)-(%d+)$')
  local fields = last[2]
  local at = #fields == 2 and fields[1] or fields[2]
  redis.call('XADD', KEYS[3], string.format('%s-%d', seq, part + 2), at, '')
end
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
return hosts
