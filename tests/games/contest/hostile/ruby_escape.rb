# Reads, writes, connects and starts programs from Ruby.
# reason: crashed: RuntimeError: contained
require "socket"

class RubyEscapePlayer
  def name = "ruby escape"

  def take_turn(_state)
    worked = []
    {
      "read" => -> { File.read("/etc/passwd") },
      "list" => -> { Dir.children("/proc") },
      "write" => -> { File.write("/tmp/x", "x") },
      "own file" => -> { File.write(__FILE__, "x") },
      "socket" => -> { TCPServer.new("127.0.0.1", 0) },
      "pair" => -> { UNIXSocket.pair },
      "root" => -> { Process::Sys.setuid(0) },
      "chroot" => -> { Dir.chroot("/player") },
      "limit" => -> { Process.setrlimit(:NPROC, 1000, 1000) },
      "namespace" => -> { raise Errno::EPERM unless system("unshare", "-Ur", "true") },
    }.each do |what, attempt|
      attempt.call
      worked << what
    rescue SystemCallError
      next
    end
    raise worked.empty? ? "contained" : "worked: #{worked.join(", ")}"
  end
end
