-- Appends one entry to a match's log. See docs/decisions/log.md.
-- KEYS: log, head, channel (all of one match, so of one slot)
-- ARGV: kind, seat, command id, data, hosts that need no publishing (0 or 1), publish command,
--       expected last seq (ticks only), due (ticks only)
-- Returns {status, seq, time, hosts}. Status:
--   0 appended; 1 appended before, seq is the first one's; 2 the match is over;
--   3 no such match; 4 the tick is not needed any more; 5 the tick came too early
local seat, command = ARGV[2], ARGV[3]
local field = seat .. ':' .. command
local head = redis.call('HMGET', KEYS[2], 'seq', 't', 'over', 'hosts', field)
if not head[1] then return {3, -1, 0, 0} end
if head[5] then return {1, tonumber(head[5]), 0, 0} end
local last = tonumber(head[1])
if head[3] then return {2, last, 0, 0} end
local now = redis.call('TIME')
local t = now[1] * 1000 + math.floor(now[2] / 1000)
local before = tonumber(head[2])
if t < before then t = before end
if ARGV[1] == 'tick' then
  if tonumber(ARGV[7]) ~= last then return {4, last, t, 0} end
  if t < tonumber(ARGV[8]) then return {5, last, t, 0} end
end
local seq = string.format('%d', last + 1)
local at = string.format('%d', t)
redis.call('XADD', KEYS[1], seq .. '-0', 't', at, 'k', ARGV[1], 's', seat, 'c', command, 'd', ARGV[4])
if command == '' then
  redis.call('HSET', KEYS[2], 'seq', seq, 't', at)
else
  redis.call('HSET', KEYS[2], 'seq', seq, 't', at, field, seq)
end
local hosts = tonumber(head[4] or 0)
if hosts > tonumber(ARGV[5]) then
  redis.call(ARGV[6], KEYS[3],
    'e\n' .. seq .. '\n' .. at .. '\n' .. ARGV[1] .. '\n' .. seat .. '\n' .. command .. '\n' .. ARGV[4])
end
return {0, last + 1, t, hosts}
