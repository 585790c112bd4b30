from django.apps import AppConfig


class MinesiteConfig(AppConfig):
    name = "minesite"
