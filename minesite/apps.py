from django.apps import AppConfig


class MinesiteConfig(AppConfig):
    name = "minesite"

    def ready(self) -> None:
        from accounts import places
        from minesite import checks  # noqa: F401 - registers them

        places.provide(api_docs="api-docs", analyse="api:analyse")
