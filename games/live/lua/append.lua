-- Appends entries to the logs of matches. See docs/decisions/log.md.
-- KEYS: per entry: log, head. On a cluster all are of one slot.
-- ARGV: publish command, then per entry: hosts that need no publishing (0 or 1), kind, seat,
--       command id, data, known, time
-- The sender has applied all entries before `known`, the last of them at `time`. If there are more
-- than this call itself has appended, one of them may be this very command: they are looked at.
-- A tick is not known by an id: it is appended if `known` is next and `time` has come.
-- Returns {time, answer per entry}. An answer is the seq of an entry of that time that nobody else
-- needs to hear of, or {status, seq, hosts, time}. Status:
--   0 appended; 1 appended before, seq is the first one's; 2 the match is over;
--   3 no such match; 4 the tick is not needed any more; 5 the tick came too early; 6 Redis refused
-- An error that goes away (the server is no master now) is the reply of the whole call: all of it
-- is sent again.
local call, pcall = redis.call, redis.pcall
local now = call('TIME')
local clock = now[1] * 1000 + math.floor(now[2] / 1000)
local clock_text = string.format('%d', clock)
local appended = {} -- log -> entries of this call
local written = {} -- log -> time of the last of them
local passing = {READONLY = true, NOREPLICAS = true, MASTERDOWN = true}

local function first_with(log, known, seat, command)
  for _, entry in ipairs(call('XRANGE', log, known, '+')) do
    local fields = entry[2]
    if fields[6] == seat and fields[8] == command then
      return tonumber(string.match(entry[1], '^%d+'))
    end
  end
end

local function last_time(log)
  return tonumber(call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1][2][2])
end

local function append(log, head, a)
  local seq = pcall('XLEN', log)
  if type(seq) ~= 'number' then return {6, -1, 0, 0} end
  if seq == 0 then return {3, -1, 0, 0} end
  local kind, seat, command, data = ARGV[a + 1], ARGV[a + 2], ARGV[a + 3], ARGV[a + 4]
  local known, before = ARGV[a + 5], tonumber(ARGV[a + 6])
  if kind == 'tick' then
    if seq ~= tonumber(known) then return {4, seq - 1, 0, 0} end
    if clock < before then return {5, seq - 1, 0, clock} end
    before = last_time(log)
  elseif seq - (appended[log] or 0) ~= tonumber(known) then
    local first = command ~= '' and first_with(log, known, seat, command)
    if first then return {1, first, 0, 0} end
    before = last_time(log)
  elseif written[log] then
    before = math.max(before, written[log])
  end
  local over, hosts = unpack(call('HMGET', head, 'over', 'hosts'))
  if over then return {2, seq - 1, 0, 0} end
  -- Redis' clock, but never back.
  local t, at = clock, clock_text
  if t < before then t, at = before, string.format('%d', before) end
  local id = pcall('XADD', log, seq .. '-0', 't', at, 'k', kind, 's', seat, 'c', command, 'd', data)
  if type(id) == 'table' then
    -- Redis 6.2 puts the place in the script before the word, later ones do not.
    local word = string.match(id.err, '%u%u%u+')
    if passing[word] then return {err = word .. ' the entry is not stored now'} end
    return {6, -1, 0, 0}
  end
  written[log], appended[log] = t, (appended[log] or 0) + 1
  hosts = tonumber(hosts or 0)
  if hosts > tonumber(ARGV[a]) then
    -- The channel is named like the log, with another ending.
    call(ARGV[1], string.sub(log, 1, -4) .. 'new', table.concat(
      {'e', seq, at, kind, seat, command, data}, '\n'))
  elseif t == clock then
    return seq
  end
  return {0, seq, hosts, t}
end

local answers = {clock}
for i = 1, #KEYS / 2 do
  local answer = append(KEYS[2 * i - 1], KEYS[2 * i], 7 * i - 5)
  if type(answer) == 'table' and answer.err then return answer end
  answers[i + 1] = answer
end
return answers
