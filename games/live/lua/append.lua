-- Appends entries to the logs of matches. See docs/decisions/log.md.
-- KEYS: per entry: log, head. On a cluster all are of one slot.
-- ARGV: publish command, the latest time that the sender knows of, then per entry: who sends it,
--       known, what it says
-- What an entry says: kind, seat, command id and data, with line feeds between; only data may have
-- more of them. The sender has applied all entries before `known`.
-- Who: 'host' hosts the match; 'guest' does not; '<seq>-0' hosts it alone, as far as it knows, and
--      with what it has under way the log is that long. A tick is of none of them: its `who` is
--      when it is due, and it is appended if `known` is next and its time has come.
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
local forward = clock >= tonumber(ARGV[2]) -- the clock was not set back since
local here = {} -- log -> its last entry is of this call
local asked = {} -- log -> an entry of this call was not as simple as its sender thought
local passing = {READONLY = true, NOREPLICAS = true, MASTERDOWN = true}

-- What is said: by whom, under which id. Of an entry in the log, whichever way it was written.
local function name_of(said)
  return string.match(said, '^%l+\n(%d*)\n([^\n]*)')
end

local function name_in_log(fields)
  if #fields == 2 then return name_of(fields[2]) end
  return fields[6], fields[8]
end

local function first_with(log, known, seat, command)
  for _, entry in ipairs(call('XRANGE', log, known, '+')) do
    local its_seat, its_command = name_in_log(entry[2])
    if its_seat == seat and its_command == command then
      return tonumber(string.match(entry[1], '^%d+'))
    end
  end
end

local function last_time(log)
  local fields = call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1][2]
  return tonumber(#fields == 2 and fields[1] or fields[2])
end

-- With every question that there is.
local function append(log, head, seq, who, known, said)
  if type(seq) ~= 'number' then return {6, -1, 0, 0} end
  if seq == 0 then return {3, -1, 0, 0} end
  local due, behind = tonumber(who), seq ~= tonumber(known)
  if due then
    if behind then return {4, seq - 1, 0, 0} end
    if clock < due then return {5, seq - 1, 0, clock} end
  elseif behind then
    -- There are entries that the sender does not know; one of them may be this very command.
    local seat, command = name_of(said)
    local first = command ~= '' and first_with(log, known, seat, command)
    if first then return {1, first, 0, 0} end
  end
  local over, hosts = unpack(call('HMGET', head, 'over', 'hosts'))
  if over then return {2, seq - 1, 0, 0} end
  -- Redis' clock, but never back.
  local t = clock
  if due or behind or not forward then t = math.max(clock, last_time(log)) end
  local at = string.format('%d', t)
  -- Past the bar, if there is one.
  local id = pcall('XADD', log, seq .. '-1', at, said)
  if type(id) == 'table' then
    -- Redis 6.2 puts the place in the script before the word, later ones do not.
    local word = string.match(id.err, '%u%u%u+')
    if passing[word] then return {err = word .. ' the entry is not stored now'} end
    return {6, -1, 0, 0}
  end
  hosts = tonumber(hosts or 0)
  -- The bar of hosts.lua moves on: a host that was alone may have more under way.
  if hosts > 1 then call('XSETID', log, (seq + 1) .. '-0') end
  if hosts > (who == 'guest' and 0 or 1) then
    -- The channel is named like the log, with another ending.
    call(ARGV[1], string.sub(log, 1, -4) .. 'new', table.concat({'e', seq, at, said}, '\n'))
  end
  return {0, seq, hosts, t}
end

local answers = {clock}
for i = 1, #KEYS / 2 do
  local log, head = KEYS[2 * i - 1], KEYS[2 * i]
  local who, known, said = ARGV[3 * i], ARGV[3 * i + 1], ARGV[3 * i + 2]
  local seq, answer = pcall('XLEN', log)
  if type(seq) == 'number' and seq .. '-0' == who and forward and not asked[log] then
    -- Nearly every entry. Nobody else has written if the log is as long as the sender thinks. If
    -- it is over, or hosted by others since, there is a bar in it, and Redis refuses the id.
    if here[log] or seq == tonumber(known) or last_time(log) <= clock then
      here[log] = true
      if type(pcall('XADD', log, who, clock_text, said)) == 'string' then answer = seq end
    end
  end
  if not answer then
    asked[log] = true
    answer = append(log, head, seq, who, known, said)
    if answer.err then return answer end
  end
  answers[i + 1] = answer
end
return answers
