"""Checks of our own: codes of errors are those that the contract lists, and no operation goes without success."""

import schemathesis
from schemathesis.engine.run import PhaseName


@schemathesis.check
def error_code_conformance(ctx, response, case) -> None:
    """An error tells the status it has, and a code that the contract lists for this operation and status."""
    if response.status_code < 400 or response.request.method == "HEAD":
        return
    error = response.json()["error"]
    assert error["status"] == response.status_code, f"the body says {error['status']}"
    listed = listed_codes(case, str(response.status_code))
    assert listed is None or error["code"] in listed, f"{error['code']} is not among {listed}"


def listed_codes(case, status: str) -> list[str] | None:
    """The codes that the contract lists; None for a status it has not, which status_code_conformance judges."""
    operation = case.operation.definition.raw
    if status not in operation["responses"]:
        return None
    own = operation.get("x-error-codes", {})
    if status in own:
        return own[status]
    return resolve(case, operation["responses"][status])["x-error-codes"]


def resolve(case, node: dict) -> dict:
    """Follows a reference within the document."""
    if "$ref" not in node:
        return node
    found = case.operation.schema.raw_schema
    for key in node["$ref"].removeprefix("#/").split("/"):
        found = found[key]
    return found


@schemathesis.check
class EveryOperationSucceeds:
    """Each operation that documents a success has had one: a run of refusals alone tests little. Walks go where they go."""

    def __init__(self):
        self.tested, self.succeeded = set(), set()

    def after_response(self, ctx, response, case) -> None:
        if ctx.phase == PhaseName.STATEFUL_TESTING:
            return
        label = case.operation.label
        if any(status.startswith("2") for status in case.operation.definition.raw["responses"]):
            self.tested.add(label)
        if 200 <= response.status_code < 300:
            self.succeeded.add(label)

    def after_run(self, ctx) -> None:
        missing = sorted(self.tested - self.succeeded)
        assert not missing, f"never answered with success: {', '.join(missing)}"
