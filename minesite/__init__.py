"""The site itself: settings, processes, commands. The version is here and nowhere else."""

__version__ = "0.1.0"
