"""Tests of the URLs, headers and bodies of requests."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

import httpx
import pytest
from callers import TOKEN, Caller
from conftest import MakeCaller
from documents import CARD_ID, LISTING_ID, SALE_ID, batch, card, listing, page, sale
from fake_service import FakeService, Reply

from cardvault import UNSET, AsyncCardVault, CardVault, __version__
from cardvault.models import (
    CardInput,
    CardUpdate,
    Currency,
    Game,
    IdentificationInput,
    IdentificationPatch,
    MetadataPatch,
    Money,
    PhotoRole,
    PricingPatch,
    WorkflowStatus,
)


def test_headers(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card())]
    caller.call("get_card", CARD_ID)
    headers = service.asked[0].headers
    assert headers["Authorization"] == f"Bearer {TOKEN}"
    assert headers["Accept"] == "application/json"
    assert re.fullmatch(rf"cardvault-python/{re.escape(__version__)} Python/3\.\d+\.\d+\S*", headers["User-Agent"])


def test_filters(service: FakeService, caller: Caller) -> None:
    service.script = [page()]
    caller.call(
        "list_cards",
        limit=5,
        status=[WorkflowStatus.IDENTIFIED, WorkflowStatus.PRICED],
        set_="Dawn & Dusk",
        game=Game.POKEMON,
        min_price=0,
        batch=None,
        updated_since=datetime(2026, 5, 11, 15, 32, 1, 123456, timezone(timedelta(hours=2))),
    )
    assert service.asked[0].path == "/api/cards"
    assert service.asked[0].query == {
        "limit": ["5"],
        "status": ["identified", "priced"],
        "set": ["Dawn & Dusk"],
        "game": ["pokemon"],
        "min_price": ["0"],
        "updated_since": ["2026-05-11T15:32:01.123456+02:00"],
    }


def test_an_empty_list_is_sent(service: FakeService, caller: Caller) -> None:
    """Without the parameter, the request would select everything. The service refuses the empty value."""
    service.script = [page()]
    caller.call("list_cards", ids=[], status=())
    assert service.asked[0].target == "/api/cards?status=&ids="


def test_a_time_needs_a_zone(service: FakeService, caller: Caller) -> None:
    with pytest.raises(ValueError, match="updated_since has no time zone"):
        caller.call("list_cards", updated_since=datetime(2026, 5, 11))
    assert not service.asked


def test_an_identifier_stays_one_part_of_the_address(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card())]
    caller.call("get_card", "../a b/ü?x#y")
    assert service.asked[0].target == "/api/cards/..%2Fa%20b%2F%C3%BC%3Fx%23y"


@pytest.mark.parametrize("nothing", ["", ".", ".."])
def test_an_identifier_that_is_none(service: FakeService, caller: Caller, nothing: str) -> None:
    with pytest.raises(ValueError, match="give an identifier"):
        caller.call("get_card", nothing)
    assert not service.asked


def test_a_slash_at_the_end_of_the_address(service: FakeService) -> None:
    service.script = [Reply(body=card())]
    with CardVault(service.url + "/", TOKEN) as client:
        client.get_card(CARD_ID)
    assert service.asked[0].path == f"/api/cards/{CARD_ID}"


@pytest.mark.parametrize("key", ["clé", "two\nlines"])
def test_a_key_that_no_header_can_hold(service: FakeService, caller: Caller, key: str) -> None:
    with pytest.raises(ValueError, match="Idempotency-Key cannot be"):
        caller.call("create_batch", name="Spring fair", idempotency_key=key)
    assert not service.asked


def test_a_patch_tells_absent_from_null(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card())]
    caller.call(
        "update_card",
        CARD_ID,
        identification=IdentificationPatch(title="Ember Fox", variant=None, set_=UNSET),
        pricing=PricingPatch(asking_price=Money(amount=450, currency=Currency.USD), cost=None),
        notes=None,
        sku="Füchse",
        if_match=3,
    )
    asked = service.asked[0]
    assert (asked.method, asked.headers["If-Match"]) == ("PATCH", '"3"')
    assert asked.headers["Content-Type"] == "application/json"
    assert asked.json == {
        "identification": {"title": "Ember Fox", "variant": None},
        "pricing": {"asking_price": {"amount": 450, "currency": "USD"}, "cost": None},
        "notes": None,
        "sku": "Füchse",
    }


def test_a_patch_of_a_sale(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=sale())]
    cost = Money(amount=0, currency=Currency.USD)
    caller.call("update_sale", SALE_ID, fees=[], shipping_cost=cost, tracking=None, if_match='"3"')
    asked = service.asked[0]
    assert (asked.method, asked.headers["If-Match"]) == ("PATCH", '"3"')
    assert asked.json == {"fees": [], "shipping_cost": {"amount": 0, "currency": "USD"}, "tracking": None}


def test_patches_of_many_cards(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body={"data": []})]
    caller.call(
        "update_cards",
        updates=[
            CardUpdate(id="a", version=3, metadata=MetadataPatch.from_dict({"consignor": "Ada", "shelf": None})),
            CardUpdate(id="b", notes=None, archived=False),
        ],
    )
    assert service.asked[0].json == {
        "updates": [
            {"id": "a", "version": 3, "metadata": {"consignor": "Ada", "shelf": None}},
            {"id": "b", "notes": None, "archived": False},
        ]
    }


def test_dictionaries_serve_as_models(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card())]
    price = {"amount": 450, "currency": "USD"}
    caller.call("update_card", CARD_ID, pricing={"asking_price": price, "cost": None}, metadata={"consignor": "Ada"})
    caller.call("update_card", CARD_ID, pricing={"asking_price": Money(amount=450, currency=Currency.USD)})
    assert [asked.json for asked in service.asked] == [
        {"pricing": {"asking_price": price, "cost": None}, "metadata": {"consignor": "Ada"}},
        {"pricing": {"asking_price": price}},
    ]


def test_lists_of_dictionaries(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(201, {"data": [card()], "outcomes": ["created"]})]
    identification = {"title": "Ember Fox", "set": "Dawn", "game": Game.OTHER}
    caller.call("create_cards", cards=({"identification": identification}, CardInput(sku="7")))
    assert service.asked[0].json == {
        "cards": [{"identification": {"title": "Ember Fox", "set": "Dawn", "game": "other"}}, {"sku": "7"}]
    }


def test_a_report_needs_a_grouping(service: FakeService, caller: Caller) -> None:
    with pytest.raises(TypeError, match="group_by"):
        caller.call("report_sales")
    assert not service.asked


def test_a_nested_body(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(201, {"data": [card()], "outcomes": ["created"]})]
    cards = [CardInput(identification=IdentificationInput(title="Ember Fox", set_="Dawn", game=Game.OTHER))]
    made = caller.call("create_cards", cards=cards)
    assert service.asked[0].json == {
        "cards": [{"identification": {"title": "Ember Fox", "set": "Dawn", "game": "other"}}]
    }
    assert [one.id for one in made.data] == [CARD_ID]


def test_an_optional_body(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(202, listing())]
    caller.call("publish_card", CARD_ID)
    caller.call("publish_card", CARD_ID, title="Ember Fox")
    bare, told = service.asked
    assert (bare.path, bare.body) == (f"/api/listings/{CARD_ID}/publish", b"")
    assert told.json == {"title": "Ember Fox"}


def test_no_body(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(202, listing(status="ending"))]
    assert caller.call("end_listing", LISTING_ID).status == "ending"
    assert service.asked[0].body == b""


def test_a_photo(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card())]
    caller.call("put_card_photo", CARD_ID, PhotoRole.FRONT, b"\xff\xd8\x00", content_type="image/jpeg")
    asked = service.asked[0]
    assert (asked.method, asked.path) == ("PUT", f"/api/cards/{CARD_ID}/photos/front")
    assert (asked.headers["Content-Type"], asked.body) == ("image/jpeg", b"\xff\xd8\x00")


@pytest.mark.parametrize(
    ("photo", "media_type"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"\x89PNG\r\n\x1a\n\x00", "image/png"),
        (b"RIFF\x00\x00\x00\x00WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "image/heic"),
        (b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1heix", "image/heic"),
        (b"\x00\x00\x00\x18ftypmif1\x00\x00\x00\x00mif1miaf", "image/heif"),
        (b"\x00\x00\x00\x1cftypmif1\x00\x00\x00\x00mif1avifmiaf", "image/avif"),
    ],
)
def test_the_type_of_a_photo(service: FakeService, caller: Caller, photo: bytes, media_type: str) -> None:
    service.script = [Reply(body=card())]
    caller.call("put_card_photo", CARD_ID, PhotoRole.FRONT, photo)
    assert (service.asked[0].headers["Content-Type"], service.asked[0].body) == (media_type, photo)


@pytest.mark.parametrize(
    "photo",
    [b"", b"GIF89a", b"RIFF\x00\x00\x00\x00WAVE", b"\x00\x00\x00\x14ftypisom\x00\x00\x02\x00mp41"],
)
def test_a_photo_of_another_type(service: FakeService, caller: Caller, photo: bytes) -> None:
    with pytest.raises(ValueError, match="not a JPEG, PNG, WebP, HEIC or AVIF"):
        caller.call("put_card_photo", CARD_ID, PhotoRole.FRONT, photo)
    assert not service.asked


def test_an_answer_without_a_body(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(204)]
    assert caller.call("delete_card_photo", CARD_ID, "pho_1") is None


def test_plain_strings_serve_as_enumerations(service: FakeService, caller: Caller) -> None:
    service.script = [Reply(body=card())]
    patch = IdentificationPatch(condition="NM", game="pokemon")  # type: ignore[arg-type] # callers without a type checker
    caller.call("update_card", CARD_ID, identification=patch)
    assert service.asked[0].json == {"identification": {"condition": "NM", "game": "pokemon"}}


def test_an_http_client_of_ones_own_stays_open(service: FakeService) -> None:
    service.script = [Reply(body=card())]
    with httpx.Client(headers={"X-Tenant": "7"}) as http:
        with CardVault(service.url, TOKEN, http_client=http) as client:
            client.get_card(CARD_ID)
        assert not http.is_closed
    assert service.asked[0].headers["X-Tenant"] == "7"


def test_a_token_is_not_sent_elsewhere(service: FakeService) -> None:
    service.script = [Reply(302, headers={"Location": "/api/batches"}), Reply(body=batch())]
    with (
        httpx.Client(follow_redirects=True) as http,
        CardVault(service.url, TOKEN, http_client=http) as client,
        pytest.raises(Exception, match="302 Found"),
    ):
        client.get_card(CARD_ID)
    assert len(service.asked) == 1


@pytest.mark.parametrize("client_class", [CardVault, AsyncCardVault])
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"base_url": "vault.example/api"}, "base_url"),
        ({"base_url": "ftp://vault.example/api"}, "base_url"),
        ({"base_url": "https://vault.example/api?x=1"}, "base_url"),
        ({"token": ""}, "token"),
        ({"token": "cv_test_1\n"}, "token"),
        ({"token": "Bearer cv_test_1"}, "token"),
        ({"timeout": 0}, "timeout"),
        ({"max_retries": -1}, "max_retries"),
    ],
)
def test_settings_that_cannot_work(
    client_class: type[CardVault | AsyncCardVault], options: dict[str, object], words: str
) -> None:
    settings = {"base_url": "https://vault.example/api", "token": TOKEN, **options}
    with pytest.raises(ValueError, match=words) as raised:
        client_class(**settings)  # type: ignore[arg-type] # the test passes wrong types
    assert "cv_test_1" not in str(raised.value)


def test_other_options_share_the_connections(service: FakeService, make_caller: MakeCaller) -> None:
    service.script = [Reply(503), Reply(body=card())]
    with CardVault(service.url, TOKEN) as client:
        with client.with_options(max_retries=0) as hasty, pytest.raises(Exception, match="503"):
            hasty.get_card(CARD_ID)
        assert client.get_card(CARD_ID).id == CARD_ID


def test_nothing_shows_the_token() -> None:
    with CardVault("https://vault.example/api", TOKEN) as client:
        assert TOKEN not in repr(client) + repr(client._settings) + repr(vars(client))
