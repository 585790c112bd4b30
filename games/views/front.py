from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def front_page(request: HttpRequest) -> HttpResponse:
    return render(request, "games/front.html")
