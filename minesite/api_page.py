"""`/api/v1/docs`: every operation of the API from its OpenAPI schema, and every message of the
sockets from the structs that decode and encode them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import urlencode

import msgspec

from games import mode_cards
from games.live import protocol as match_protocol
from lobby import protocol as lobby_protocol

Schema = dict[str, Any]
NUMBERS: Final = ("minimum", "maximum", "minLength", "maxLength", "maxItems")
DEEPEST: Final = 4


class Reader:
    """Reads JSON schemas: types in words, and examples."""

    def __init__(self, components: Schema) -> None:
        self.components = components
        versus = mode_cards.first_versus()
        self.known = {
            "mode": versus["name"] if versus else "",
            "version": match_protocol.VERSION,
            "action": {"type": "ready"},
        }
        """Examples of fields by name, better than any that the schema alone gives."""

    def resolved(self, shape: Schema) -> Schema:
        """The schema itself, instead of a reference to it."""
        if "$ref" in shape:
            return self.components[shape["$ref"].rpartition("/")[2]]  # type: ignore[no-any-return]  # JSON
        if len(shape.get("allOf", ())) == 1:
            return self.resolved(shape["allOf"][0])
        return shape

    def type_of(self, shape: Schema) -> str:
        """In a few words, such as "list of string"."""
        if "$ref" in shape:
            return str(self.resolved(shape).get("title", "object"))
        if several := shape.get("anyOf") or shape.get("oneOf") or shape.get("allOf"):
            return " or ".join(dict.fromkeys(self.type_of(one) for one in several))
        if "enum" in shape:
            return " or ".join(json.dumps(value) for value in shape["enum"])
        if "const" in shape:
            return json.dumps(shape["const"])
        if shape.get("type") == "array":
            return f"list of {self.type_of(shape.get('items', {}))}"
        kind = shape.get("type", "any JSON")
        return " or ".join(kind) if isinstance(kind, list) else str(kind)

    def limits_of(self, shape: Schema) -> str:
        found = [shape, *(shape.get("anyOf") or ())]
        return ", ".join(
            f"{name} {one[name]}" for one in found for name in NUMBERS if one.get(name) is not None
        )

    def fields_of(self, shape: Schema) -> list[dict[str, Any]]:
        whole = self.resolved(shape)
        return [
            self.field(name, one, name in whole.get("required", ()))
            for name, one in whole.get("properties", {}).items()
        ]

    def field(self, name: str, shape: Schema, required: bool, where: str = "") -> dict[str, Any]:
        return {
            "name": name,
            "type": self.type_of(shape),
            "limits": self.limits_of(shape),
            "required": required,
            "default": json.dumps(shape["default"]) if "default" in shape else "",
            "about": shape.get("description", ""),
            "where": where,
        }

    def example(self, shape: Schema, name: str = "", depth: int = 0) -> Any:
        """A value of this shape."""
        if several := shape.get("anyOf") or shape.get("oneOf"):
            return self.example(several[0], name, depth)
        shape = self.resolved(shape)
        for key in ("example", "const"):
            if key in shape:
                return shape[key]
        if shape.get("examples"):
            return shape["examples"][0]
        if name in self.known:
            return self.known[name]
        if shape.get("enum"):
            return shape["enum"][0]
        if shape.get("default") not in (None, "", [], {}):
            return shape["default"]
        kind = shape.get("type")
        if kind == "array":
            return [self.example(shape.get("items", {}), name, depth + 1)]
        if kind == "object":
            wanted: Schema = shape.get("properties", {}) if depth < DEEPEST else {}
            required: list[str] = shape.get("required", [*wanted])
            return {n: self.example(s, n, depth + 1) for n, s in wanted.items() if n in required}
        plain = {"boolean": True, "integer": shape.get("minimum", 0), "number": 0, "string": name}
        return plain.get(str(kind))


def operations(schema: Schema, base: str) -> list[dict[str, Any]]:
    """The page's text on each operation; `base` is the site's own address."""
    reader = Reader(schema["components"]["schemas"])
    return [
        _operation(reader, method.upper(), path, operation, base)
        for path, item in schema["paths"].items()
        for method, operation in item.items()
    ]


def _operation(
    reader: Reader, method: str, path: str, operation: Schema, base: str
) -> dict[str, Any]:
    given = operation.get("parameters", [])
    parameters = [
        reader.field(one["name"], one["schema"], one.get("required", False), one["in"])
        for one in given
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json")
    sent = None if body is None else reader.example(body["schema"])
    address = base + path
    for one in given:
        if one["in"] == "path":
            address = address.replace(f"{{{one['name']}}}", one["name"].upper())
    needed = [one for one in given if one["in"] == "query" and one.get("required")]
    if needed:
        asked = {one["name"]: reader.example(one["schema"], one["name"]) for one in needed}
        address += "?" + urlencode(asked)
    token = bool(operation.get("security"))
    return {
        "id": operation["operationId"],
        "method": method,
        "path": path,
        "about": operation.get("description") or operation.get("summary", ""),
        "token": token,
        "parameters": parameters,
        "body": [] if body is None else reader.fields_of(body["schema"]),
        "answers": [
            {"status": status, "about": answer.get("description", "")}
            for status, answer in operation["responses"].items()
        ],
        "curl": _curl(method, address, token, sent),
        "python": _python(method, address, token, sent),
    }


def _curl(method: str, address: str, token: bool, sent: Any) -> str:
    lines = ["curl" if method == "GET" else f"curl -X {method}"]
    if token:
        lines.append('-H "Authorization: Bearer $TOKEN"')
    if sent is not None:
        lines += ['-H "Content-Type: application/json"', f"-d '{json.dumps(sent)}'"]
    return " \\\n  ".join([*lines, f'"{address}"'])


def _python(method: str, address: str, token: bool, sent: Any) -> str:
    headers = []
    if token:
        headers.append('"Authorization": f"Bearer {token}"')
    if sent is not None:
        headers.append('"Content-Type": "application/json"')
    lines = ["import json", "import urllib.request", ""]
    lines += ["request = urllib.request.Request(", f'    "{address}",', f'    method="{method}",']
    if headers:
        lines.append(f"    headers={{{', '.join(headers)}}},")
    if sent is not None:
        lines.append(f"    data=json.dumps({sent!r}).encode(),")
    lines += [")", "with urllib.request.urlopen(request) as answer:", "    print(answer.read())"]
    return "\n".join(lines)


# -- sockets -------------------------------------------------------------------------------------


def sockets(base: str) -> list[dict[str, Any]]:
    """The two sockets, with what clients send and what the server sends."""
    home = base.replace("http", "ws", 1)
    hello = {"type": "hello", "version": match_protocol.VERSION}
    wish = {"mode": Reader({}).known["mode"], "size": 2}
    return [
        {
            "path": "/ws/match/<id>/",
            "id": "ws-match",
            "sent": messages(match_protocol.Incoming.__args__),
            "told": messages(match_protocol.Outgoing.__args__),
            "names": [],
            "python": _socket_python(f"{home}/ws/match/MATCH/", hello),
        },
        {
            "path": "/ws/lobby/",
            "id": "ws-lobby",
            "sent": messages(lobby_protocol.Client.__args__),
            "told": [],
            "names": lobby_protocol.SERVER_TYPES,
            "python": _socket_python(
                f"{home}/ws/lobby/", {"type": "queue", "wishes": [wish], "bot": True}
            ),
        },
    ]


def messages(structs: Iterable[type]) -> list[dict[str, Any]]:
    """Each struct's type, its fields and an example."""
    kinds = list(structs)
    shapes, components = msgspec.json.schema_components(kinds, ref_template="#/{name}")
    reader = Reader(components)
    found = []
    for shape in shapes:
        fields = [one for one in reader.fields_of(shape) if one["name"] != "type"]
        example = reader.example(shape)
        found.append({"type": example["type"], "fields": fields, "example": json.dumps(example)})
    return found


def _socket_python(address: str, first: dict[str, Any]) -> str:
    return f"""import asyncio
import json

from websockets.asyncio.client import connect


async def main():
    headers = {{"Authorization": f"Bearer {{token}}"}}
    async with connect("{address}", additional_headers=headers) as socket:
        await socket.send(json.dumps({first!r}))
        async for message in socket:
            print(json.loads(message))


asyncio.run(main())"""
