"""What a player chooses for themselves: looks, sound, input, privacy. A form checks it; what is
stored holds only known names with values that passed it, and the pages get the rest as defaults.
"""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User

PALETTES: Final = [
    ("site", _("Standard")),
    ("deuteranopia", _("Deuteranopia (green-blind)")),
    ("protanopia", _("Protanopia (red-blind)")),
    ("tritanopia", _("Tritanopia (blue-blind)")),
    ("safe", _("Safe for every colour vision")),
    ("contrast", _("High contrast")),
    ("grey", _("Shades of grey")),
]
FLASHES: Final = [
    ("red", _("Red")),
    ("amber", _("Amber")),
    ("blue", _("Blue")),
    ("ink", _("Black or white")),
]
CHALLENGES: Final = [
    ("everyone", _("Everyone")),
    ("registered", _("Players with an account")),
    ("nobody", _("Nobody")),
]


def _switch(label: Any, initial: bool = True) -> forms.BooleanField:
    widget = forms.CheckboxInput(attrs={"role": "switch"})
    return forms.BooleanField(label=label, initial=initial, required=False, widget=widget)


def _slider(low: float, high: float, step: float) -> forms.NumberInput:
    return forms.NumberInput(attrs={"type": "range", "min": low, "max": high, "step": step})


class PreferencesForm(forms.Form):
    """The names are those of games/static/games/prefs.js."""

    palette = forms.ChoiceField(label=_("Colours of the players"), choices=PALETTES, initial="site")
    patterns = _switch(_("Patterns on areas, so that colour alone never tells"))
    animations = _switch(_("Animations"))
    flash = _switch(_("Flash on a mine or a hit"))
    flash_colour = forms.ChoiceField(label=_("Colour of the flash"), choices=FLASHES, initial="red")
    sound = _switch(_("Sounds"), initial=False)
    volume = forms.FloatField(
        label=_("Volume"), initial=0.6, min_value=0, max_value=1, widget=_slider(0, 1, 0.05)
    )
    chord_click = _switch(_("Click on a number opens around it"))
    chord_middle = _switch(_("Middle button opens around a number"))
    chord_both = _switch(_("Left and right together open around a number"))
    flag_button = _switch(_("Flag button on touch screens"))
    haptics = _switch(_("Vibration"))
    long_press_ms = forms.IntegerField(
        label=_("Long press until it counts"),
        initial=350,
        min_value=150,
        max_value=900,
        widget=_slider(150, 900, 50),
    )
    private = _switch(_("Hide my list of matches from others"), initial=False)
    challenges = forms.ChoiceField(
        label=_("Who may challenge me"), choices=CHALLENGES, initial="everyone"
    )

    SECTIONS: Final = (
        (_("Looks"), ("palette", "patterns", "animations", "flash", "flash_colour")),
        (_("Sounds"), ("sound", "volume")),
        (
            _("Input"),
            (
                "chord_click",
                "chord_middle",
                "chord_both",
                "flag_button",
                "haptics",
                "long_press_ms",
            ),
        ),
        (_("Privacy"), ("private", "challenges")),
    )

    def sections(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names]) for title, names in self.SECTIONS]


DEFAULTS: Final[dict[str, Any]] = {
    name: field.initial for name, field in PreferencesForm.base_fields.items()
}


def of(user: User) -> dict[str, Any]:
    """Every preference of this user: chosen, or the default."""
    chosen = user.preferences if isinstance(user.preferences, dict) else {}
    return {name: chosen.get(name, default) for name, default in DEFAULTS.items()}


def save(user: User, form: PreferencesForm) -> None:
    """What the form says; what others keep beside it stays."""
    kept = {k: v for k, v in user.preferences.items() if k not in DEFAULTS}
    user.preferences = {**kept, **form.cleaned_data}
    user.save(update_fields=["preferences"])
