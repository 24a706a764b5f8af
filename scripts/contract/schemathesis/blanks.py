"""A check of our own: a filter whose value is blank is refused and changes nothing. Dropped, it would select everything."""

import inventory
import schemathesis
from conformance import resolve

# A space, several, a no-break space, an ideographic space, a line separator, and nothing at all.
BLANKS = (" ", "   ", "\u00a0", "\u3000", "\u2028", "")

# What requests with a filter do to the cards that match, and the list that has what they begin, by operation.
CHANGES = {
    "createJob": ("jobs", ({"kind": "delete"}, {"kind": "archive"}, {"kind": "update", "patch": {"notes": "blank"}})),
    "publishCards": ("listings", ({},)),
}


@schemathesis.check
class BlankFiltersAreRefused:
    """Tries every filter of an operation that is a text, once, beside a request whose address leads to something."""

    def __init__(self):
        self.tried = set()

    def after_response(self, ctx, response, case) -> None:
        if case.operation.label in self.tried or response.status_code == 404:
            return
        self.tried.add(case.operation.label)
        refuse_queries(case)
        if case.operation.definition.raw["operationId"] in CHANGES:
            refuse_bodies(case)


def is_text(case, schema: dict) -> bool:
    """Whether the value is a text or a list of texts."""
    schema = resolve(case, schema)
    if schema.get("type") == "array":
        return is_text(case, schema["items"])
    return schema.get("type") == "string"


def refuse_queries(case) -> None:
    """Each parameter of the query, beside those that are required."""
    parameters = [resolve(case, parameter) for parameter in case.operation.definition.raw.get("parameters", [])]
    parameters = [parameter for parameter in parameters if parameter["in"] == "query" and parameter["name"] != "cursor"]
    required = {p["name"]: example(resolve(case, p["schema"])) for p in parameters if p.get("required")}
    for name in (parameter["name"] for parameter in parameters if is_text(case, parameter["schema"])):
        for blank in BLANKS:
            address, query = inventory.API + case.formatted_path, {**required, name: blank}
            refuse(inventory.session.request(case.method, address, params=query, timeout=60), name, f"{address} {query}")


def example(schema: dict):
    """A value that the parameter takes."""
    return schema["enum"][0] if "enum" in schema else schema["example"]


def refuse_bodies(case) -> None:
    """Each text of a filter, alone and beside another one, for each thing that can be done."""
    begun, changes = CHANGES[case.operation.definition.raw["operationId"]]
    body = resolve(case, case.operation.definition.raw["requestBody"]["content"]["application/json"]["schema"])
    properties = resolve(case, body["properties"]["filter"])["properties"]
    before = newest(begun)
    for name in (name for name, schema in properties.items() if is_text(case, schema)):
        for blank in BLANKS:
            value = [blank] if resolve(case, properties[name])["type"] == "array" else blank
            for filter in ({name: value}, {name: value, "has_photo": False}):
                for change in changes:
                    tried = {**change, "filter": filter}
                    refuse(inventory.session.post(inventory.API + case.formatted_path, json=tried, timeout=60), f"filter.{name}", str(tried))
    assert newest(begun) == before, f"a refused request has begun something: see {begun}"


def refuse(response, field: str, tried: str) -> None:
    assert response.status_code == 400, f"{tried} is answered {response.status_code}: {response.text[:500]}"
    details = response.json()["error"].get("details", [])
    named = any(detail["field"] == field or detail["field"].startswith(field + ".") for detail in details)
    assert named, f"{tried}: no detail names {field}: {details}"


def newest(kind: str) -> list[str]:
    """The identifiers of the newest jobs or listings."""
    return [thing["id"] for thing in inventory.session.get(f"{inventory.API}/{kind}?limit=200", timeout=60).json()["data"]]
