from django.apps import AppConfig


class MinesiteConfig(AppConfig):
    name = "minesite"

    def ready(self) -> None:
        from accounts import places
        from minesite import quick_middleware

        places.provide(api_docs="api-docs")
        quick_middleware.install()
