"""The form that asks for a mode's options, and options in words; both made from its MODE."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.engine.mode import Mode
from games.engine.options import Flag, Number, Option, Preset, Whole, Word
from games.engine.registry import REGISTRY

PRESET = "preset"


class OptionForm(forms.Form):
    """A field per option, each named `option-<name>`. A mode with presets asks for one first; the
    browser fills the other fields from it (lobby/options.js)."""

    def __init__(self, mode: Mode, *, for_id: str = "option") -> None:
        super().__init__(prefix="option", auto_id=f"{for_id}-%s")
        self.mode = mode
        if mode.presets:
            self.fields[PRESET] = _preset_field(mode)
        for option in mode.options:
            if option.name != PRESET:
                self.fields[option.name] = _field(option)

    def asked(self) -> list[forms.BoundField]:
        """The fields that everybody sees."""
        return [self[name] for name in self.fields if not self._is_advanced(name)]

    def more(self) -> list[forms.BoundField]:
        """The fields for people who want to change more."""
        return [self[name] for name in self.fields if self._is_advanced(name)]

    def _is_advanced(self, name: str) -> bool:
        option = self.mode.option(name)
        return name != PRESET and option is not None and option.advanced

    @property
    def presets(self) -> list[dict[str, Any]]:
        """The named sets, with what they mean; `chosen` is the one that a new form has."""
        usual = usual_preset(self.mode)
        return [
            {
                "name": preset.name,
                "title": _(preset.title),
                "note": preset.note and _(preset.note),
                "size": preset.size,
                "chosen": preset is usual,
            }
            for preset in self.mode.presets
        ]

    @property
    def preset_label(self) -> str:
        return _preset_label(self.mode)

    @property
    def preset_json(self) -> str:
        """The values of each preset, for the browser."""
        return _preset_json(self.mode)

    def flags(self) -> list[forms.BoundField]:
        """Of those that everybody sees, the boxes to tick."""
        return [field for field in self.asked() if isinstance(field.field, forms.BooleanField)]

    def sizes(self) -> list[forms.BoundField]:
        """Of those that everybody sees, what a player's own board consists of."""
        boxes = {PRESET, *(field.name for field in self.flags())}
        return [field for field in self.asked() if field.name not in boxes]


def usual_preset(mode: Mode) -> Preset | None:
    """The preset that says the same as the defaults, if there is one."""
    defaults = {option.name: option.default for option in mode.options}
    same = (preset for preset in mode.presets if preset.options.items() <= defaults.items())
    return next(same, None)


def option_texts(name: str, options: Mapping[str, Any]) -> list[str]:
    """The options of a match of this mode in words, such as "Freeze time: 10 s". A preset is named
    instead of what it sets. None, when the mode is no longer installed."""
    if name not in REGISTRY:
        return []
    mode, left = REGISTRY[name], dict(options)
    texts = []
    for preset in mode.presets:
        if preset.options and preset.options.items() <= left.items():
            texts.append(
                _("{label}: {value}").format(label=_preset_label(mode), value=_(preset.title))
            )
            left = {name: value for name, value in left.items() if name not in preset.options}
            break
    for option in mode.options:
        if option.name in left:
            value = value_text(option, left[option.name])
            texts.append(_("{label}: {value}").format(label=_(option.label), value=value))
    return texts


def value_text(option: Option, value: Any) -> str:
    """One value of an option, as people write it."""
    if isinstance(option, Flag):
        return _("yes") if value else _("no")
    for choice, text in option.choices:
        if choice == value:
            return _(text)
    number = number_format(value) if isinstance(value, int | float) else str(value)
    unit = option.unit if isinstance(option, Whole | Number) else ""
    return f"{number} {_(unit)}" if unit else number


def _preset_label(mode: Mode) -> str:
    own = mode.option(PRESET)
    return _(own.label) if own else _("Board")


def _preset_json(mode: Mode) -> str:
    return json.dumps({preset.name: dict(preset.options) for preset in mode.presets})


def _preset_field(mode: Mode) -> forms.Field:
    usual = usual_preset(mode)
    choices = [(preset.name, _(preset.title)) for preset in mode.presets]
    return forms.ChoiceField(
        label=_preset_label(mode),
        choices=choices if usual else [("", _("Standard")), *choices],
        initial=usual.name if usual else "",
        required=False,
        widget=forms.Select(
            attrs={
                "data-kind": PRESET,
                "data-presets": _preset_json(mode),
                "data-sizes": json.dumps({preset.name: preset.size for preset in mode.presets}),
            }
        ),
    )


def _field(option: Option) -> forms.Field:
    texts: dict[str, Any] = {"label": _(option.label), "help_text": option.help and _(option.help)}
    derived = isinstance(option, Whole | Number) and option.derived
    attributes = {"data-default": "null" if derived else json.dumps(option.default)}
    if isinstance(option, Flag):
        widget: forms.Widget = forms.CheckboxInput(attrs={**attributes, "data-kind": "flag"})
        return forms.BooleanField(**texts, initial=option.default, required=False, widget=widget)
    kind = "word" if isinstance(option, Word) else "number"
    attributes["data-kind"] = kind
    if option.choices:
        return forms.ChoiceField(
            **texts,
            choices=[(value, _(text)) for value, text in option.choices],
            initial=option.default,
            widget=forms.Select(attrs=attributes),
        )
    assert isinstance(option, Whole | Number)
    make: Any = forms.IntegerField if isinstance(option, Whole) else forms.FloatField
    widget = forms.NumberInput(
        attrs={**attributes, "inputmode": "numeric" if isinstance(option, Whole) else "decimal"}
    )
    if option.derived:
        widget.attrs["placeholder"] = _("automatic")
    field: forms.Field = make(
        **texts,
        min_value=option.low,
        max_value=option.high,
        initial=None if option.derived else option.default,
        required=not option.derived,
        widget=widget,
    )
    vars(field)["unit"] = option.unit and _(option.unit)  # for the template
    if isinstance(option, Number):
        field.widget.attrs["step"] = "any"
    return field
