from __future__ import annotations

from typing import Any

from django.contrib.auth.models import BaseUserManager


class UserManager(BaseUserManager):
    """Makes users; finds them by name without regard to case."""

    def create_user(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> Any:
        user = self.model(username=username, email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> Any:
        fields |= {"is_staff": True, "is_superuser": True}
        return self.create_user(username, email, password, **fields)

    def get_by_natural_key(self, username: str | None) -> Any:
        return self.get(username__iexact=username)

    async def aget_by_natural_key(self, username: str | None) -> Any:
        return await self.aget(username__iexact=username)
