"""The HTTP API put together from the apps' operations, with its schema and its page."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.generic import RedirectView
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

from games.analyser import api as analysing
from games.api import problems, reading
from games.engine.registry import modes
from games.puzzles import api as puzzles
from games.puzzles.answers import CODES as PUZZLE_CODES
from games.statistics import api as statistics
from lobby.api import events, people, playing
from lobby.api import problems as lobby_problems
from lobby.errors import CODES as LOBBY_CODES
from lobby.tournaments import api as tournaments
from lobby.tournaments.errors import CODES as TOURNAMENT_CODES
from minesite import api_page

DESCRIPTION = """Read results, wait in queues and send challenges. Matches themselves are played on
/ws/match/<id>/. Send `Authorization: Bearer <token>`; tokens are made in the settings."""


class Api(NinjaAPI):
    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Says that errors are problem documents, and which options each mode has."""
        schema = super().get_openapi_schema(**options)
        _describe_modes(schema["components"]["schemas"])
        for item in schema["paths"].values():
            for operation in item.values():
                for status, response in operation["responses"].items():
                    content = response.get("content", {})
                    if int(status) >= 400 and "application/json" in content:
                        content["application/problem+json"] = content.pop("application/json")
        return schema


def _describe_modes(shapes: dict[str, Any]) -> None:
    """Name the modes there are, and describe the options of each."""
    references = []
    for mode in modes():
        title = f"{mode.name.title().replace('-', '')}Options"
        shapes[title] = {
            "title": title,
            "type": "object",
            "properties": {option.name: option.schema() for option in mode.options},
            "additionalProperties": False,
        }
        references.append({"$ref": f"#/components/schemas/{title}"})
    for shape in ("WishIn", "ChallengeIn"):
        shapes[shape]["properties"]["mode"]["enum"] = [mode.name for mode in modes()]
    shapes["ChallengeIn"]["properties"]["options"] = {
        "title": "Options",
        "description": "The options of the mode; what is left out has its default.",
        "anyOf": references,
        "default": {},
    }


api = Api(
    title="minesite", version="1", description=DESCRIPTION, docs_url=None, urls_namespace="api"
)
problems.install(api)
lobby_problems.install(api)
api.add_router("", reading.router)
api.add_router("", statistics.router)
api.add_router("", playing.router)
api.add_router("tournaments", tournaments.router)
api.add_router("", people.router)
api.add_router("", events.router)
api.add_router("", puzzles.router)
api.add_router("", analysing.router)


def docs(request: HttpRequest) -> HttpResponse:
    """Every operation and every message of the sockets on one page, from their schemas."""
    base = f"{request.scheme}://{request.get_host()}"
    # The `type` of every problem document leads to its code on this page.
    every = (LOBBY_CODES, TOURNAMENT_CODES, PUZZLE_CODES, problems.CODES, analysing.CODES)
    codes = dict(sorted(pair for codes in every for pair in codes.items()))
    context = {
        "operations": api_page.operations(api.get_openapi_schema(), base),
        "sockets": api_page.sockets(base),
        "codes": codes,
    }
    return render(request, "api_docs.html", context)


urlpatterns = [
    path("", RedirectView.as_view(pattern_name="api-docs"), name="api-start"),
    path("docs", docs, name="api-docs"),
    path("", api.urls),
]
