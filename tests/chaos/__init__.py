"""Faults and deploys while matches run."""

import os

# For what runs without pytest (`make chaos-deploy`): the modules below need settings.
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.chaos.settings")
