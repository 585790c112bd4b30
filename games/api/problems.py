"""Errors as problem documents (RFC 9457), with the same codes as everywhere on the site."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from django.db.utils import OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from ninja import NinjaAPI, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError

from accounts import places
from games.engine.errors import GameError

CODES: Final = {
    "bad_request": "The request is not of the form that this operation takes.",
    "no_token": "Send an API token: Authorization: Bearer <token>.",
    "bad_token": "This API token isn't valid.",
    "missing_scope": "This API token does not have the scope that this operation needs.",
    "not_found": "There is nothing of that name here.",
    "not_over": "The match is not over yet.",
    "day_not_over": "A board of the day is told when its day is over (UTC).",
    "too_many_requests": "Too many requests. Wait a little.",
    "method_not_allowed": "This address does not know that method.",
}


RETRY_SECONDS: Final = 5


class Problem(Schema):
    type: str
    title: str
    status: int
    code: str
    detail: str


class ApiError(Exception):
    """Becomes a problem document."""

    def __init__(self, status: int, code: str, detail: str = "", **more: Any) -> None:
        super().__init__(code)
        self.status, self.code, self.more = status, code, more
        self.detail = detail or CODES[code]


def problem(status: int, code: str, detail: str, **more: Any) -> HttpResponse:
    body = {
        "type": f"{places.url('api_docs')}#code-{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        **more,
    }
    response = JsonResponse(body, status=status, content_type="application/problem+json")
    if status == 401:
        response["WWW-Authenticate"] = "Bearer"
    if "retry_after" in more:
        response["Retry-After"] = str(more["retry_after"])
    return response


def install(api: NinjaAPI) -> None:
    """Answer every exception that an operation of this app may end with."""

    @api.exception_handler(ApiError)
    def _ours(request: HttpRequest, error: ApiError) -> HttpResponse:
        return problem(error.status, error.code, error.detail, **error.more)

    @api.exception_handler(GameError)
    def _game(request: HttpRequest, error: GameError) -> HttpResponse:
        return problem(422, error.code, error.text)

    @api.exception_handler(ValidationError)
    def _validation(request: HttpRequest, error: ValidationError) -> HttpResponse:
        said = error.errors[0] if error.errors else {}
        where = ".".join(str(part) for part in said.get("loc", ()) if part != "body")
        detail = f"{where}: {said.get('msg', '')}" if said else CODES["bad_request"]
        return problem(422, "bad_request", detail)

    @api.exception_handler(AuthenticationError)
    def _authentication(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
        return problem(401, "no_token", CODES["no_token"])

    @api.exception_handler(Http404)
    def _missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return problem(404, "not_found", CODES["not_found"])

    @api.exception_handler(OperationalError)
    def _busy(request: HttpRequest, error: OperationalError) -> HttpResponse:
        text = "The database is busy. Try again in a few seconds."
        return problem(503, "unavailable", text, retry_after=RETRY_SECONDS)

    @api.exception_handler(HttpError)
    def _other(request: HttpRequest, error: HttpError) -> HttpResponse:
        return problem(error.status_code, "bad_request", str(error))
