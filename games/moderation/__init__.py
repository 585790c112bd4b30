"""Order among players: reports, sanctions, shared devices, and the record of what staff did."""
