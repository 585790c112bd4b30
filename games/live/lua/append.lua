-- Appends rows of entries to the logs of matches. See docs/decisions/log.md.
-- KEYS: per row: log, head. On a cluster all are of one slot.
-- ARGV: publish command, then per row: who sends it, its id, known, what it says
-- What a row says: its entries, with \30 between. What an entry says: kind, seat, command id and
-- data, with line feeds between; only data may have more of them. The sender has applied all
-- entries before `known`.
-- Who: 'host' hosts the match; 'guest' does not; an id of a row: hosts it alone, as far as it knows,
--      and that row is the last one as far as it knows. Then the new row has the id that is given.
--      'tick': a tick, to be appended if `known` is next and its time, given as its id, has come.
-- Returns an answer per row: the time of a row that was appended as its sender thought, or {seq and
-- second part of the id of the last row, hosts, time, then status and seq of each entry}. The first
-- is -1 if the next row must be asked everything, too. Status:
--   0 appended; 1 appended before, seq is the first one's; 2 the match is over;
--   3 no such match; 4 the tick is not needed any more; 5 the tick came too early; 6 Redis refused
-- An error that goes away (the server is no master now) is the reply of the whole call: all of it
-- is sent again.
local call, pcall = redis.call, redis.pcall
local now = call('TIME')
local clock = now[1] * 1000 + math.floor(now[2] / 1000)
local clock_text = string.format('%d', clock)
local passing = {READONLY = true, NOREPLICAS = true, MASTERDOWN = true}

-- The time of a row, whichever way it was written.
local function time_of(fields)
  return tonumber(#fields == 2 and fields[1] or fields[2])
end

local function parts_of(id)
  local seq, part = string.match(id, '^(%d+)-(%d+)$')
  return tonumber(seq), tonumber(part)
end

-- By whom an entry is, and under which id; nil when it has none.
local function name_of(said)
  local seat, command = string.match(said, '^%l+\n(%d*)\n([^\n]+)')
  if command then return seat .. '\n' .. command end
end

local function entries_of(text)
  local found = {}
  for said in string.gmatch(text, '[^\30]+') do found[#found + 1] = said end
  return found
end

-- Name -> seq of the first entry with it, from `known` on.
local function names_from(log, known)
  local names = {}
  for _, row in ipairs(call('XRANGE', log, known, '+')) do
    local fields = row[2]
    local said = entries_of(fields[2])
    if #fields ~= 2 then said = {table.concat({fields[4], fields[6], fields[8]}, '\n')} end
    local before = parts_of(row[1]) - #said
    for i, one in ipairs(said) do
      local name = name_of(one)
      if name and not names[name] then names[name] = before + i end
    end
  end
  return names
end

-- An error of Redis: nil when it goes away, else the status of entries that are not stored.
local function refused(answer)
  -- Redis 6.2 puts the place in the script before the word, later ones do not.
  local word = string.match(answer.err, '%u%u%u+')
  if passing[word] then return nil, {err = word .. ' the entry is not stored now'} end
  return 6
end

-- With every question that there is.
local function append(log, head, rows, who, place, known, text)
  local said = entries_of(text)
  local answer = {-1, 0, 0, 0}
  local function all(status, seq)
    for i = 1, #said do answer[3 + 2 * i], answer[4 + 2 * i] = status, seq end
    return answer
  end
  if rows.err then
    local status, passes = refused(rows)
    return passes or all(status, -1)
  end
  local last = rows[1]
  if not last then return all(3, -1) end
  local seq, part = parts_of(last[1])
  answer[4] = clock
  local behind = seq + 1 ~= tonumber(known)
  if who == 'tick' then
    if behind then return all(4, seq) end
    if clock < tonumber(place) then return all(5, seq) end
  end
  -- Of entries that the sender does not know one may be this very command.
  local names = behind and names_from(log, known) or {}
  local over, hosts = unpack(call('HMGET', head, 'over', 'hosts'))
  local new, at = {}, seq
  for i, one in ipairs(said) do
    local name = name_of(one)
    local first = name and names[name]
    local status = first and 1 or over and 2 or 0
    if status == 0 then
      at = at + 1
      new[#new + 1] = one
    end
    answer[3 + 2 * i], answer[4 + 2 * i] = status, first or at
  end
  hosts = tonumber(hosts or 0)
  local may_go_on = hosts < 2 and not over
  answer[3] = hosts
  if #new == 0 then
    if may_go_on then answer[1], answer[2] = seq, part end
    return answer
  end
  -- Redis' clock, but never back.
  local t = math.max(clock, time_of(last[2]))
  local at_text = string.format('%d', t)
  local row = table.concat(new, '\30')
  -- The second part is never 0, as the sender thinks. Of what it sends next it may guess that the
  -- part is 1: that is only so if nothing needs to be asked behind the row, and never of the row
  -- that it named itself, else the row would be written behind itself when it is sent again.
  local second = may_go_on and at .. '-1' ~= who and 1 or 2
  local id = pcall('XADD', log, at .. '-' .. second, at_text, row)
  if type(id) == 'table' then
    local status, passes = refused(id)
    if passes then return passes end
    for i = 1, #said do
      if answer[3 + 2 * i] == 0 then answer[3 + 2 * i], answer[4 + 2 * i] = status, -1 end
    end
    return answer
  end
  if hosts > (who == 'guest' and 0 or 1) then
    -- The channel is named like the log, with another ending.
    call(ARGV[1], string.sub(log, 1, -4) .. 'new', table.concat({'e', at, at_text, row}, '\n'))
  end
  if may_go_on then answer[1], answer[2] = at, second end
  answer[4] = t
  return answer
end

local answers = {}
for i = 1, #KEYS / 2 do
  local log, head = KEYS[2 * i - 1], KEYS[2 * i]
  local who, place, known, text = unpack(ARGV, 4 * i - 2, 4 * i + 1)
  local rows, answer = pcall('XREVRANGE', log, '+', '-', 'COUNT', 1)
  local last = rows[1]
  if last and last[1] == who then
    -- Nearly every row. Nobody has written since; who hosts the match too, or has ended it, would
    -- have left a row.
    local t, at_text = time_of(last[2]), clock_text
    if t > clock then at_text = string.format('%d', t) else t = clock end
    if type(pcall('XADD', log, place, at_text, text)) == 'string' then answer = t end
  end
  if not answer then
    answer = append(log, head, rows, who, place, known, text)
    if answer.err then return answer end
  end
  answers[i] = answer
end
return answers
