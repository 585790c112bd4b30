-- Marks a match as over: from now on nothing is appended. The first mark stays.
-- KEYS: head, over, log. ARGV: the outcome as JSON, seconds until the mark expires.
-- Returns the last seq of the log, -1 when there is none.
if redis.call('EXISTS', KEYS[1]) == 0 then return -1 end
if redis.call('HSETNX', KEYS[1], 'over', ARGV[1]) == 1 then
  redis.call('SET', KEYS[2], ARGV[1], 'EX', ARGV[2])
  -- A bar at the highest id there is: the append script need not ask first.
  redis.pcall('XSETID', KEYS[3], '18446744073709551615-18446744073709551615')
end
return redis.call('XLEN', KEYS[3]) - 1
