"""Converts the contract to a form that the generator handles well.

Usage: prepare.py CONTRACT.yaml > PREPARED.json

The requests and responses stay the same. Without this step the generator would make three types of one nullable
enumeration, two unrelated types of `Money` and `MoneyOrNull`, and an enumeration of one value instead of a constant.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

Schema = dict[str, Any]
PREFIX = "#/components/schemas/"
NULL: Schema = {"type": "null"}


def prepare(contract: Schema) -> Schema:
    """Return the contract for the generator. It does not change its argument."""
    prepared: Schema = json.loads(json.dumps(contract, default=str))
    schemas: dict[str, Schema] = prepared["components"]["schemas"]
    leave_out_many_prices(prepared)
    enumerate_known_values(schemas)
    drop_defaults(schemas)
    open_files(schemas)
    share_enumerations(schemas)
    share_metadata(schemas)
    add_unknown_event(schemas)
    bases = split_nullable_objects(schemas)
    describe_parameters(prepared)
    result: Schema = refer_nullable(prepared, bases)
    return result


def ref(name: str) -> Schema:
    return {"$ref": PREFIX + name}


def leave_out_many_prices(contract: Schema) -> None:
    """Restrict `lookup_price` to one card. `lookup_prices` in _bulk.py looks up many, with a result of its own."""
    request = contract["components"]["schemas"]["PriceLookupRequest"]
    request["description"] = "Exactly one of `card_id` and `card`."
    del request["properties"]["card_ids"]
    success = contract["paths"]["/price-lookup"]["post"]["responses"]["200"]
    success["content"]["application/json"]["schema"] = ref("PriceEstimate")


def enumerate_known_values(schemas: dict[str, Schema]) -> None:
    """Make constants of the known values of open schemas. Enumerations of the client take any value (OpenEnum)."""
    for schema in schemas.values():
        if "x-known-values" in schema:
            schema["enum"] = schema.pop("x-known-values")
            schema.pop("maxLength", None)
            schema.pop("pattern", None)


def drop_defaults(schemas: dict[str, Schema]) -> None:
    """Remove the defaults of fields, which the service applies and may change."""
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            field.pop("default", None)


def open_files(schemas: dict[str, Schema]) -> None:
    """Let the files of forms be any values: the client takes paths, open files and bytes (ScanPhoto)."""
    for schema in schemas.values():
        for field in schema.get("properties", {}).values():
            if field.get("items", {}).get("format") == "binary":
                field["items"] = {}


METADATA = "Values of the owner, by keys of 1 to 40 characters: `Metadata.from_dict({'consignor': 'Ada'})`."
METADATA_PATCH = "Changes of `Metadata`. None removes a key: `MetadataPatch.from_dict({'consignor': None})`."


def share_metadata(schemas: dict[str, Schema]) -> None:
    """Give all metadata fields one type, and those in patches another, instead of a type for each field."""
    for schema in list(schemas.values()):
        fields = schema.get("properties", {})
        if "metadata" not in fields:
            continue
        field = fields["metadata"]
        values = field["additionalProperties"]
        if field.get("nullable"):
            schemas["MetadataPatch"] = {"type": "object", "description": METADATA_PATCH, "additionalProperties": values}
            fields["metadata"] = {"description": field["description"], "oneOf": [ref("MetadataPatch"), NULL]}
        else:
            schemas["Metadata"] = {"type": "object", "description": METADATA, "additionalProperties": values}
            fields["metadata"] = ref("Metadata")


def share_enumerations(schemas: dict[str, Schema]) -> None:
    """Make an enumeration of one value a constant with a default, and one with null a named enumeration or null."""
    for parent, schema in list(schemas.items()):
        for name, field in schema.get("properties", {}).items():
            values = field.get("enum", [])
            if len(values) == 1:
                field["const"] = field["default"] = field.pop("enum")[0]
            elif None in values:
                shared = enumeration_of(
                    [value for value in values if value is not None], schemas, parent + name.title()
                )
                for key in ("type", "enum", "nullable", "example"):
                    field.pop(key, None)
                field["oneOf"] = [ref(shared), NULL]


def enumeration_of(values: list[str], schemas: dict[str, Schema], otherwise: str) -> str:
    """Return the name of the enumeration with exactly these values. It adds one if the contract has none."""
    for name, schema in schemas.items():
        if schema.get("enum") == values:
            return name
    schemas[otherwise] = {"type": "string", "enum": values}
    return otherwise


def add_unknown_event(schemas: dict[str, Schema]) -> None:
    """Add a last member to the union of events that accepts any kind, because the service may add kinds."""
    union = schemas["Event"]
    known = union["oneOf"][0]["$ref"].removeprefix(PREFIX)
    fields = {**schemas[known]["properties"], "event": {"type": "string"}, "data": {}}
    schemas["UnknownEvent"] = {
        "type": "object",
        "description": "An event of a kind that this version does not know. `data` is the JSON value of the service.",
        "required": schemas[known]["required"],
        "properties": fields,
    }
    union["oneOf"].append(ref("UnknownEvent"))


def split_nullable_objects(schemas: dict[str, Schema]) -> dict[str, str]:
    """Remove null from objects, and objects that only add null to another. Return the new name of each by its name."""
    bases: dict[str, str] = {}
    for name, schema in list(schemas.items()):
        if schema.get("type") == "object" and schema.pop("nullable", False):
            base = name.removesuffix("OrNull")
            bases[name] = base
            if base != name:
                twin = schemas.pop(name)
                if any(twin[key] != schemas[base][key] for key in ("required", "properties")):
                    sys.exit(f"prepare: {name} is not {base} or null: give them the same fields")
    return bases


def describe_parameters(contract: Schema) -> None:
    """Copy the descriptions of parameters to where the generator reads them, and remove the defaults."""
    inline = [
        parameter
        for path in contract["paths"].values()
        for operation in path.values()
        for parameter in operation.get("parameters", [])
        if "$ref" not in parameter
    ]
    for name in ("IfMatch", "IfNoneMatch"):
        contract["components"]["parameters"][name]["description"] += " An integer stands for a `version`."
    for parameter in [*contract["components"]["parameters"].values(), *inline]:
        schema = parameter["schema"]
        target = contract["components"]["schemas"].get(schema.get("$ref", "").removeprefix(PREFIX), schema)
        if "enum" not in target:
            parameter["schema"] = {**target, "description": parameter["description"]}
        parameter["schema"].pop("default", None)


def refer_nullable(node: Any, bases: dict[str, str]) -> Any:
    """Return the node. References to objects that were nullable become unions of the object and null."""
    if isinstance(node, list):
        return [refer_nullable(item, bases) for item in node]
    if not isinstance(node, dict):
        return node
    target = str(node.get("$ref", "")).removeprefix(PREFIX)
    if target in bases:
        return {"oneOf": [ref(bases[target]), NULL]}
    return {key: refer_nullable(value, bases) for key, value in node.items()}


if __name__ == "__main__":
    document = YAML(typ="safe").load(Path(sys.argv[1]).read_text(encoding="utf-8"))
    json.dump(prepare(document), sys.stdout, indent=1)
