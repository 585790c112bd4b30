from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PeopleConfig(AppConfig):
    name = "lobby.people"
    label = "people"
    verbose_name = _("People")

    def ready(self) -> None:
        from accounts import places
        from lobby.people import kinds, receivers  # noqa: F401  (receivers: connects them)

        places.provide(people="people:page", player_state="people:state")
        kinds.register()
