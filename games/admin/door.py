"""Access to staff pages."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache

View = Callable[..., Coroutine[Any, Any, HttpResponse]]


def staff(permission: str) -> Callable[[View], View]:
    """An async view for those whom the admin lets in and who have this permission. Others are sent
    to sign in; a signed-in user without permission gets 403."""

    def wrap(view: View) -> View:
        @never_cache
        @wraps(view)
        async def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            request.user = await request.auser()
            if not await sync_to_async(admin.site.has_permission)(request):
                if request.user.is_authenticated:
                    raise PermissionDenied
                return redirect_to_login(request.get_full_path(), reverse("admin:login"))
            if not await request.user.ahas_perm(permission):
                raise PermissionDenied
            return await view(request, *args, **kwargs)

        return guarded

    return wrap
