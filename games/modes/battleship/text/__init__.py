"""The Battleship text protocol.

`codec.py` reads and writes lines, `session.py` is one client's conversation: both without IO.
`driver.py` carries out what the session asks for; the transports are thin and stand beside this
package.
"""
