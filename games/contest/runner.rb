# Runs inside the sandbox: loads one Ruby player and asks it for moves. The counterpart of runner.py.
require "json"

requests = $stdin.dup
replies = $stdout.dup
$stdin.reopen(File::NULL)
$stdout.reopen(File::NULL)
$stderr.reopen(File::NULL)

trust, path, lib = ARGV
ARGV.clear

limits = { Process::RLIMIT_AS => 512 * 1024 * 1024, Process::RLIMIT_CORE => 0, Process::RLIMIT_CPU => 60 }
unless trust == "trusted"
  limits.update({ Process::RLIMIT_NPROC => 32, Process::RLIMIT_NOFILE => 64, Process::RLIMIT_FSIZE => 0 })
end
limits.each { |limit, value| Process.setrlimit(limit, value, value) }

say = lambda do |message|
  replies.puts(JSON.generate(message))
  replies.flush
end

describe = ->(error) { "#{error.class}: #{error.message}"[0, 200].encode("ASCII", invalid: :replace, undef: :replace) }

source = File.read(path, encoding: "UTF-8")
unfit = crash = nil
begin
  $LOAD_PATH.unshift(lib)
  before = ObjectSpace.each_object(Class).to_a
  begin
    program = RubyVM::InstructionSequence.compile(source, path, path)
  rescue SyntaxError
    unfit = "syntax error"
  end
  program&.eval
  classes = (ObjectSpace.each_object(Class).to_a - before).select do |found|
    # A base class that came from lib/ is not a player of this file.
    found.name.to_s.end_with?("Player") && source.match?(/class\s+(\w+::)*#{found.name.split("::").last}\b/)
  end
  unfit ||=
    if classes.empty? then "it has no class whose name ends in Player"
    elsif classes.size > 1 then "it has more than one class whose name ends in Player"
    end
  unless unfit
    player = classes.first.new
    missing = %i[name take_turn].find { |wanted| !player.respond_to?(wanted) }
    unfit = "its class has no #{missing}" if missing
  end
  unless unfit
    name = player.name
    unfit = "its name is not ASCII text" unless name.is_a?(String) && name.match?(/\A[ -~]+\z/)
  end
rescue Exception => error
  crash = describe.call(error)
end
if crash || unfit
  say.call(crash ? { error: crash } : { unfit: unfit })
  exit!(0)
end
say.call({ name: name[0, 64] })

while (line = requests.gets)
  state = JSON.parse(line).map { |row| row.map { |cell| cell.is_a?(String) ? cell.to_sym : cell } }
  begin
    move = player.take_turn(state)
  rescue Exception => error
    say.call({ error: describe.call(error) })
    exit!(0)
  end
  if move.is_a?(Array) && [2, 3].include?(move.size) && move[0, 2].all?(Integer)
    say.call({ move: move.size == 3 ? [*move[0, 2], move[2] ? true : false] : move })
  else
    say.call({ wrong: "a move is [x, y] or [x, y, flag]" })
  end
end
