# Forks without end from Ruby, and stays when it is asked to end.
# reason: took longer than|crashed: Errno::EAGAIN|its process ended
# turn-timeout: 1

class RubyRabbitPlayer
  def name = "ruby rabbit"

  def take_turn(_state)
    at_exit { sleep }
    loop { fork }
  end
end
