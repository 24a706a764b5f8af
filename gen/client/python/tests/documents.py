"""Responses of the service, with all fields of the contract."""

from __future__ import annotations

from typing import Any

from fake_service import Reply

CARD_ID = "card_01k5w0q2m7t9c3r5v8x0z1b4d6"
BATCH_ID = "bat_01k5w0q2m7t9c3r5v8x0z1b4d6"
LISTING_ID = "lst_01k5w0q2m7t9c3r5v8x0z1b4d6"
EVENT_ID = "evt_01k5w0q2m7t9c3r5v8x0z1b4d6"
SALE_ID = "sale_01k5w0q2m7t9c3r5v8x0z1b4d6"
WEBHOOK_ID = "whe_01k5w0q2m7t9c3r5v8x0z1b4d6"
DELIVERY_ID = "dlv_01k5w0q2m7t9c3r5v8x0z1b4d6"
ACCOUNT_ID = "acc_01k5w0q2m7t9c3r5v8x0z1b4d6"
TIME = "2026-05-11T15:32:01.123456Z"

UNIDENTIFIED = "source provider confidence identified_at catalog_id game year variant language condition grade"
UNPUBLISHED = "external_id url failure sold_price buyer_reference end_reason published_at sold_at ended_at"
UNSENT = "listing_id order_reference cost_at_sale buyer_reference restocked_at voided_at shipped_at tracking"

Document = dict[str, Any]


def absent(names: str) -> Document:
    return dict.fromkeys(names.split())


def money(amount: int = 1250) -> Document:
    return {"amount": amount, "currency": "USD"}


def identification(**fields: object) -> Document:
    return {
        "title": "Ember Fox",
        "set": "Dawn",
        "number": "54/167",
        "status": "pending",
        **absent(UNIDENTIFIED),
        **fields,
    }


def card(**fields: object) -> Document:
    return {
        "id": CARD_ID,
        "workflow_status": "imported",
        "title": "Ember Fox",
        "set": "Dawn",
        "number": "54/167",
        "identification": identification(),
        "pricing": {"asking_price": None, "floor_price": None, "cost": None, "priced_at": None},
        "location": None,
        "batch_id": None,
        "listing_id": None,
        "sale_id": None,
        "photos": [],
        "sku": None,
        "external_id": None,
        "notes": None,
        "metadata": {},
        "version": 1,
        "created_at": TIME,
        "updated_at": TIME,
        **fields,
    }


def batch(**fields: object) -> Document:
    return {
        "id": BATCH_ID,
        "name": "Spring fair",
        "description": None,
        "status": "open",
        "card_count": 0,
        "completed_at": None,
        "created_at": TIME,
        "updated_at": TIME,
        **fields,
    }


def listing(**fields: object) -> Document:
    return {
        "id": LISTING_ID,
        "card_id": CARD_ID,
        "marketplace": "sandbox",
        "status": "publishing",
        "title": "Ember Fox",
        "price": money(),
        "revision": {"status": "none", "failure": None},
        **absent(UNPUBLISHED),
        "created_at": TIME,
        "updated_at": TIME,
        **fields,
    }


def sale(**fields: object) -> Document:
    return {
        "id": SALE_ID,
        "card_id": CARD_ID,
        "channel": "in_person",
        "sold_at": TIME,
        **dict.fromkeys(["gross", "net"], money()),
        **dict.fromkeys(["shipping_charged", "shipping_cost", "tax"], money(0)),
        "fees": [],
        "card": {"title": "Ember Fox", "set": "Dawn", "number": "54/167"},
        "status": "completed",
        "refunds": [],
        **absent(UNSENT),
        "version": 1,
        "created_at": TIME,
        "updated_at": TIME,
        **fields,
    }


def webhook(**fields: object) -> Document:
    return {
        "id": WEBHOOK_ID,
        "url": "https://shop.example/hook",
        "events": ["listing.sold"],
        "enabled": True,
        "previous_secret_expires_at": None,
        "previous_secrets": [],
        "created_at": TIME,
        "updated_at": TIME,
        **fields,
    }


def delivery(**fields: object) -> Document:
    return {
        "id": DELIVERY_ID,
        "webhook_id": WEBHOOK_ID,
        "event_id": EVENT_ID,
        "event": "listing.sold",
        "state": "pending",
        "attempt_count": 0,
        **absent("next_attempt_at last_status last_error finished_at"),
        "created_at": TIME,
        "attempts": [],
        **fields,
    }


def history_entry(**fields: object) -> Document:
    change = {"field": "notes", "from": None, "to": "A nick."}
    actor = {"type": "token", "id": "tok_1", "name": "demo"}
    return {"at": TIME, "version": 2, "actor": actor, "changes": [change], **fields}


def event(kind: str = "card.priced", **data: object) -> Document:
    about = {"card_id": CARD_ID, "title": "Ember Fox", "set": "Dawn", "number": "54/167", "asking_price": money()}
    return {"id": EVENT_ID, "event": kind, "created_at": TIME, "account_id": ACCOUNT_ID, "data": {**about, **data}}


def page(*items: Document, next_cursor: str | None = None) -> Reply:
    return Reply(body={"data": list(items), "has_more": next_cursor is not None, "next_cursor": next_cursor})


def error(status: int, code: str, headers: dict[str, str] | None = None, **more: object) -> Reply:
    told = {"code": code, "message": "So it is.", "status": status, **more}
    return Reply(status, {"error": told}, {"X-Request-Id": "req-1", **(headers or {})})
