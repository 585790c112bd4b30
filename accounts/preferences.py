"""Preferences of a player: looks, sound, input, privacy. A form checks it; what is
stored holds only known names with values that passed it, and the pages get the rest as defaults.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.db import transaction
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import User

PALETTES: Final = [
    ("site", _("Standard")),
    ("deuteranopia", _("Deuteranopia (green-blind)")),
    ("protanopia", _("Protanopia (red-blind)")),
    ("tritanopia", _("Tritanopia (blue-blind)")),
    ("safe", _("Safe for all types of colour vision")),
    ("contrast", _("High contrast")),
    ("grey", _("Shades of grey")),
    ("own", _("My own colours")),
]
FLASHES: Final = [
    ("red", _("Red")),
    ("amber", _("Amber")),
    ("blue", _("Blue")),
    ("ink", _("Black or white")),
    ("own", _("My own colour")),
]
PATTERNS: Final = [
    ("rising", _("Rising diagonals")),
    ("dots", _("Dots")),
    ("level", _("Horizontal lines")),
    ("falling", _("Falling diagonals")),
    ("upright", _("Vertical lines")),
    ("grid", _("Grid")),
]
SEATS: Final = 6
COLOURS: Final = ("#2f7fd0", "#d2542c", "#8f63c9", "#a87500", "#188a78", "#c54b8b")
"""The first values of a player's own colours: they stand out from the board in the light and in the
dark."""
CHALLENGES: Final = [
    ("everyone", _("Everyone")),
    ("registered", _("Players with an account")),
    ("followed", _("Players I follow")),
    ("nobody", _("Nobody")),
]
FOLLOWS: Final = [("registered", _("Players with an account")), ("nobody", _("Nobody"))]
MESSAGES: Final = [
    ("mutual", _("Players I follow who follow me too")),
    ("nobody", _("Nobody")),
]
ONLINE: Final = [
    ("everyone", _("Everyone")),
    ("followed", _("Players I follow")),
    ("nobody", _("Nobody")),
]


def _switch(label: Any, initial: bool = True) -> forms.BooleanField:
    widget = forms.CheckboxInput(attrs={"role": "switch"})
    return forms.BooleanField(label=label, initial=initial, required=False, widget=widget)


def _slider(low: float, high: float, step: float) -> forms.NumberInput:
    return forms.NumberInput(attrs={"type": "range", "min": low, "max": high, "step": step})


def _colour(label: Any, initial: str) -> forms.RegexField:
    return forms.RegexField(
        r"\A#[0-9a-fA-F]{6}\Z",
        label=label,
        initial=initial,
        widget=forms.TextInput(attrs={"type": "color"}),
        error_messages={
            "invalid": _("A colour is # followed by six hexadecimal digits, like #1f6fb2.")
        },
    )


class PreferencesForm(forms.Form):
    """The names are those of games/static/games/prefs.js."""

    palette = forms.ChoiceField(label=_("Player colours"), choices=PALETTES, initial="site")
    patterns = _switch(_("Patterns on areas, so you never have to rely on colour alone"))
    animations = _switch(_("Animations"))
    flash = _switch(_("Flash on a mine or a hit"))
    flash_colour = forms.ChoiceField(label=_("Flash colour"), choices=FLASHES, initial="red")
    flash_own = _colour(_("My own flash colour"), "#c23c1c")
    sound = _switch(_("Sounds"), initial=False)
    volume = forms.FloatField(
        label=_("Volume"), initial=0.6, min_value=0, max_value=1, widget=_slider(0, 1, 0.05)
    )
    chord_click = _switch(_("Click a number to open around it"))
    chord_middle = _switch(_("Middle-click a number to open around it"))
    chord_both = _switch(_("Press left and right together to open around a number"))
    flag_button = _switch(_("Flag button on touch screens"))
    question_marks = _switch(_("Pressing a flag turns it into a question mark"), initial=False)
    haptics = _switch(_("Vibration"))
    long_press_ms = forms.IntegerField(
        label=_("Long-press delay"),
        initial=350,
        min_value=150,
        max_value=900,
        widget=_slider(150, 900, 50),
    )
    ask_first = _switch(_("On a touch screen, ask before a strike or a building"))
    hints = _switch(_("Hints in the first matches"))
    keys = forms.RegexField(
        r"\A([a-z0-9-]{2,20}\.[a-z_]{1,20}=\S{1,9}( |\Z))*\Z",
        label=_("Keys"),
        initial="",
        required=False,
        max_length=1000,
        widget=forms.HiddenInput,
    )
    """Keys that were changed: `mode.action=key`, with a space between two. They are chosen on the
    match page."""
    chat = _switch(_("Chat in matches"))
    private = _switch(_("Hide my list of matches from others"), initial=False)
    challenges = forms.ChoiceField(
        label=_("Who can challenge me"), choices=CHALLENGES, initial="everyone"
    )
    follows = forms.ChoiceField(label=_("Who can follow me"), choices=FOLLOWS, initial="registered")
    messages = forms.ChoiceField(label=_("Who can write to me"), choices=MESSAGES, initial="mutual")
    online = forms.ChoiceField(
        label=_("Who can see that I’m online"), choices=ONLINE, initial="everyone"
    )

    SECTIONS: Final = (
        (
            _("Appearance"),
            ("palette", "patterns", "animations", "flash", "flash_colour", "flash_own"),
        ),
        (_("Sounds"), ("sound", "volume")),
        (
            _("Controls"),
            (
                "chord_click",
                "chord_middle",
                "chord_both",
                "flag_button",
                "question_marks",
                "haptics",
                "long_press_ms",
                "ask_first",
                "hints",
                "keys",
            ),
        ),
        (_("Privacy"), ("chat", "private", "follows", "online", "challenges", "messages")),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in _seat_fields():
            self.fields[name] = field

    def seats(self) -> list[tuple[int, forms.BoundField, forms.BoundField]]:
        """Number, colour and pattern of each player."""
        return [(n, self[f"colour_{n}"], self[f"pattern_{n}"]) for n in range(1, SEATS + 1)]

    def sections(self) -> list[tuple[Any, list[forms.BoundField]]]:
        return [(title, [self[name] for name in names]) for title, names in self.SECTIONS]


def _seat_fields() -> Iterator[tuple[str, forms.Field]]:
    for number, (colour, (pattern, _title)) in enumerate(zip(COLOURS, PATTERNS, strict=True), 1):
        label = format_lazy(_("Colour of player {number}"), number=number)
        yield f"colour_{number}", _colour(label, colour)
        label = format_lazy(_("Pattern of player {number}"), number=number)
        yield (
            f"pattern_{number}",
            forms.ChoiceField(label=label, choices=PATTERNS, initial=pattern),
        )


DEFAULTS: Final[dict[str, Any]] = {
    name: field.initial for name, field in PreferencesForm().fields.items()
}


def of(user: User) -> dict[str, Any]:
    """Every preference of this user: chosen, or the default."""
    chosen = user.preferences if isinstance(user.preferences, dict) else {}
    return {name: chosen.get(name, default) for name, default in DEFAULTS.items()}


class BadChoice(ValueError):
    """There is no such choice; the text says why."""


@transaction.atomic
def change(user_id: int, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Change some preferences, and only these, whatever another tab changes at the same moment.
    Returns all of them; raises BadChoice, and then nothing has changed."""
    plain = all(isinstance(value, str | int | float) for value in choices.values())
    if not plain or not choices.keys() <= DEFAULTS.keys():
        raise BadChoice(_("This setting doesn’t exist."))
    user = User.objects.select_for_update().get(pk=user_id)
    form = PreferencesForm({**of(user), **choices})
    if wrong := next((name for name in form.errors if name in choices), None):
        raise BadChoice(f"{form.fields[wrong].label}: {form.errors[wrong][0]}")
    user.preferences = {**user.preferences, **{name: form.cleaned_data[name] for name in choices}}
    user.save(update_fields=["preferences"])
    return of(user)


def save(user: User, form: PreferencesForm) -> None:
    """Store what the form says, and leave the other preferences as they are."""
    kept = {k: v for k, v in user.preferences.items() if k not in DEFAULTS}
    user.preferences = {**kept, **form.cleaned_data}
    user.save(update_fields=["preferences"])
