-- Marks a match as over: from now on nothing is appended. The first mark stays.
-- KEYS: head, over, log. ARGV: the outcome as JSON, seconds until the mark expires.
-- Returns the last seq of the log, -1 when there is none.
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)[1]
local seq, part = string.match(last and last[1] or '', '^(%d+)-(%d+)$')
if redis.call('HEXISTS', KEYS[1], 'over') == 0 then
  if last then
    -- A row that says nothing, first of all, as in hosts.lua.
    local fields = last[2]
    local at = #fields == 2 and fields[1] or fields[2]
    redis.call('XADD', KEYS[3], string.format('%s-%d', seq, part + 2), at, '')
  end
  redis.call('HSET', KEYS[1], 'over', ARGV[1])
  redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
end
return last and tonumber(seq) or -1
