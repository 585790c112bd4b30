-- Marks a match as over: from now on nothing is appended. The first mark stays.
-- KEYS: head, over. ARGV: the outcome as JSON, seconds until the mark expires.
-- Returns the last seq of the log.
local seq = redis.call('HGET', KEYS[1], 'seq')
if not seq then return -1 end
if redis.call('HSETNX', KEYS[1], 'over', ARGV[1]) == 1 then
  redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
end
return tonumber(seq)
