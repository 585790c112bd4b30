from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import BaseUserManager

if TYPE_CHECKING:
    from accounts.models import User


class UserManager(BaseUserManager["User"]):
    """Makes users; finds them by name without regard to case."""

    def create_user(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> User:
        user = self.model(username=username, email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> User:
        fields |= {"is_staff": True, "is_superuser": True}
        return self.create_user(username, email, password, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(username__iexact=username)

    async def aget_by_natural_key(self, username: str | None) -> User:
        return await self.aget(username__iexact=username)
