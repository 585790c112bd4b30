"""The form that creates a tournament; the fields for a mode's options come from its MODE."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.engine.mode import Mode
from games.engine.options import Flag, Number, Option, Whole
from lobby.tournaments.making import BOARDS, MINUTES, MOST_DAYS, RATINGS, ROUND_MINUTES, ROUNDS
from lobby.tournaments.models import NAME_LENGTH, Tournament

SOON: Final = (2, 5, 10, 15, 30, 60, 120, 360, 720, 1440)
"""Minutes until the start that the form offers."""
AT: Final = "at"


def _in_words(minutes: int) -> str:
    if minutes < 60:
        return _("in {n} minutes").format(n=minutes)
    return _("in {n} h").format(n=minutes // 60)


class TournamentForm(forms.Form):
    """Of one kind and mode. The fields' limits are those of `making`, which checks them again."""

    name = forms.CharField(
        label=gettext_lazy("Name"),
        min_length=3,
        max_length=NAME_LENGTH,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    start = forms.ChoiceField(label=gettext_lazy("Start"))
    at = forms.CharField(
        label=gettext_lazy("Date and time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    at_utc = forms.CharField(required=False, widget=forms.HiddenInput)
    minutes = forms.IntegerField(
        label=gettext_lazy("Length in minutes"),
        min_value=MINUTES[0],
        max_value=MINUTES[1],
        initial=45,
    )
    rounds = forms.IntegerField(
        label=gettext_lazy("Rounds"), min_value=ROUNDS[0], max_value=ROUNDS[1], initial=5
    )
    round_minutes = forms.IntegerField(
        label=gettext_lazy("At most minutes per round"),
        min_value=ROUND_MINUTES[0],
        max_value=ROUND_MINUTES[1],
        initial=15,
        help_text=gettext_lazy("Matches that take longer count as draws."),
    )
    boards = forms.IntegerField(
        label=gettext_lazy("Boards"), min_value=BOARDS[0], max_value=BOARDS[1], initial=3
    )
    metric = forms.ChoiceField(label=gettext_lazy("What counts"), choices=Tournament.Metric.choices)
    rated = forms.BooleanField(
        label=gettext_lazy("Rated"),
        required=False,
        help_text=gettext_lazy("With the usual options or a preset’s."),
    )
    is_private = forms.BooleanField(
        label=gettext_lazy("Private"),
        required=False,
        help_text=gettext_lazy("Only people with the link find it."),
    )
    bots = forms.BooleanField(label=gettext_lazy("Bots may play"), required=False)
    min_rating = forms.IntegerField(
        label=gettext_lazy("Lowest rating"),
        min_value=RATINGS[0],
        max_value=RATINGS[1],
        required=False,
    )
    max_rating = forms.IntegerField(
        label=gettext_lazy("Highest rating"),
        min_value=RATINGS[0],
        max_value=RATINGS[1],
        required=False,
    )
    min_days = forms.IntegerField(
        label=gettext_lazy("Age of the account in days"),
        min_value=0,
        max_value=MOST_DAYS,
        required=False,
    )

    def __init__(self, kind: str, mode: Mode, data: Mapping[str, Any] | None = None) -> None:
        super().__init__(data)
        self.kind, self.mode = kind, mode
        unused = {
            Tournament.Kind.ARENA: ("rounds", "round_minutes", "boards", "metric"),
            Tournament.Kind.SWISS: ("minutes", "boards", "metric"),
            Tournament.Kind.SOLO: ("rounds", "round_minutes", "rated"),
        }[Tournament.Kind(kind)]
        for name in (*unused, *(() if mode.may_be_rated else ("rated",))):
            self.fields.pop(name, None)
        starts = self.fields["start"]
        assert isinstance(starts, forms.ChoiceField)
        starts.choices = [
            *((str(minutes), _in_words(minutes)) for minutes in SOON),
            (AT, _("at a date and time…")),
        ]
        starts.initial = "10"

    def first(self) -> list[forms.BoundField]:
        names = ("name", "minutes", "rounds", "round_minutes", "boards", "metric")
        return [self[name] for name in names if name in self.fields]

    def flags(self) -> list[forms.BoundField]:
        return [self[name] for name in ("rated", "is_private", "bots") if name in self.fields]

    def entry(self) -> list[forms.BoundField]:
        return [self[name] for name in ("min_rating", "max_rating", "min_days")]

    def wanted(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of `making.create`; the form is valid."""
        return {
            **self.cleaned_data,
            "kind": self.kind,
            "mode": self.mode.name,
            "options": read_options(self.mode, data),
            "starts_at": self._starts_at(),
        }

    def _starts_at(self) -> datetime | None:
        chosen = self.cleaned_data["start"]
        if chosen != AT:
            return timezone.now() + timedelta(minutes=int(chosen))
        try:
            # The browser says which moment it means; without its script it is UTC.
            found = parse_datetime(self.cleaned_data["at_utc"] or self.cleaned_data["at"])
        except ValueError:
            return None
        if found is not None and timezone.is_naive(found):
            return timezone.make_aware(found, timezone.get_default_timezone())
        return found


def read_options(mode: Mode, data: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a submitted OptionForm asks for: those of its preset, and what was changed.
    Nonsense is left for the rules to refuse."""
    chosen = str(data.get("option-preset", ""))
    preset = next((one for one in mode.presets if one.name == chosen), None)
    options = dict(preset.options) if preset is not None else {}
    # Without its script the browser doesn't fill in what the preset means.
    is_filled = data.get("filled", "") == chosen or preset is None
    for option in mode.options:
        name = f"option-{option.name}"
        if name not in data and not isinstance(option, Flag):
            continue
        value = _value(option, data.get(name))
        usual = options.get(option.name, option.default)
        if value != usual and (is_filled or value != option.default):
            options[option.name] = value
    return options


def _value(option: Option, raw: Any) -> Any:
    if isinstance(option, Flag):
        return raw is not None
    text = str(raw)
    if not text and isinstance(option, Whole | Number) and option.derived:
        return option.default
    try:
        if isinstance(option, Whole):
            return int(text)
        return float(text) if isinstance(option, Number) else text
    except ValueError:
        return text[:20]
