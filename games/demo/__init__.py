"""Accounts and finished matches for a site that has none yet; see `manage.py demo`."""
