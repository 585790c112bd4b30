"""The column of a user's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Lookup

if TYPE_CHECKING:
    TextField = models.CharField[str, str]
else:
    TextField = models.CharField  # takes no parameters at run time


class NameField(TextField):
    """Names are ASCII and unique without regard to case: `iexact` asks the index that keeps them
    so. Django's own would read every row, on SQLite as on PostgreSQL."""


@NameField.register_lookup
class SameName(Lookup):
    lookup_name = "iexact"

    def get_prep_lookup(self) -> Any:
        # Nobody has a name with other characters than ASCII, though lower() may make an ASCII
        # letter of one.
        return self.rhs.lower() if isinstance(self.rhs, str) and self.rhs.isascii() else self.rhs

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        column, before = self.process_lhs(compiler, connection)
        value, after = self.process_rhs(compiler, connection)
        return f"LOWER({column}) = {value}", (*before, *after)
