"""Players that come with the contest; each file is named after its class."""
