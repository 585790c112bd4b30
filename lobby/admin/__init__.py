"""The admin site: the live dashboard, pages about players and matches, and what staff can do."""
