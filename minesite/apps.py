from django.apps import AppConfig


class MinesiteConfig(AppConfig):
    name = "minesite"

    def ready(self) -> None:
        from accounts import places

        places.provide(api_docs="api-docs")
