# Fills memory from several Ruby processes.
# reason: used more than 512 MB of memory

class RubyGreedyPlayer
  def name = "ruby greedy"

  def take_turn(_state)
    8.times do
      fork do
        hoard = "x" * (150 << 20)
        sleep
        hoard
      end
    end
    sleep
  end
end
