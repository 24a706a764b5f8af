// Generated from the contract by tools/generate.mjs. Do not edit.

import type { CardVaultEvent, EventKind } from './types.js'

/** An example of an event of each kind. The identifiers consist of zeros and do not exist in the service. */
export const exampleEvents: { [K in EventKind]: Extract<CardVaultEvent, { event: K }> } = {
  'card.identified': {
    "id": "evt_00000000000000000000000000",
    "event": "card.identified",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167"
    }
  },
  'card.priced': {
    "id": "evt_00000000000000000000000000",
    "event": "card.priced",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "asking_price": {
        "amount": 1250,
        "currency": "USD"
      }
    }
  },
  'card.workflow_status_changed': {
    "id": "evt_00000000000000000000000000",
    "event": "card.workflow_status_changed",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "previous_status": "identified",
      "status": "identified"
    }
  },
  'listing.published': {
    "id": "evt_00000000000000000000000000",
    "event": "listing.published",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "listing_id": "lst_00000000000000000000000000",
      "marketplace": "sandbox",
      "external_id": "110551234567",
      "url": "https://market.example/itm/110551234567",
      "price": {
        "amount": 1250,
        "currency": "USD"
      }
    }
  },
  'listing.sold': {
    "id": "evt_00000000000000000000000000",
    "event": "listing.sold",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "listing_id": "lst_00000000000000000000000000",
      "marketplace": "sandbox",
      "external_id": "110551234567",
      "sold_price": {
        "amount": 1250,
        "currency": "USD"
      },
      "sold_at": "2026-05-11T15:32:01.123456Z"
    }
  },
  'listing.ended': {
    "id": "evt_00000000000000000000000000",
    "event": "listing.ended",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "listing_id": "lst_00000000000000000000000000",
      "marketplace": "sandbox",
      "external_id": "110551234567",
      "end_reason": "ended_by_seller",
      "ended_at": "2026-05-11T15:32:01.123456Z"
    }
  },
  'batch.completed': {
    "id": "evt_00000000000000000000000000",
    "event": "batch.completed",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "batch_id": "bat_00000000000000000000000000",
      "name": "Spring fair",
      "card_count": 118,
      "completed_at": "2026-05-11T15:32:01.123456Z"
    }
  },
  'identify.failed': {
    "id": "evt_00000000000000000000000000",
    "event": "identify.failed",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "attempts": [
        {
          "provider": "ocr",
          "outcome": "no_match",
          "message": ""
        }
      ]
    }
  },
  'card.updated': {
    "id": "evt_00000000000000000000000000",
    "event": "card.updated",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "version": 3,
      "changed": [
        "pricing.asking_price"
      ]
    }
  },
  'card.deleted': {
    "id": "evt_00000000000000000000000000",
    "event": "card.deleted",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167"
    }
  },
  'card.restored': {
    "id": "evt_00000000000000000000000000",
    "event": "card.restored",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167"
    }
  },
  'sale.created': {
    "id": "evt_00000000000000000000000000",
    "event": "sale.created",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "sale_id": "sale_00000000000000000000000000",
      "listing_id": "lst_00000000000000000000000000",
      "channel": "in_person",
      "gross": {
        "amount": 1250,
        "currency": "USD"
      },
      "sold_at": "2026-05-11T15:32:01.123456Z"
    }
  },
  'sale.refunded': {
    "id": "evt_00000000000000000000000000",
    "event": "sale.refunded",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "sale_id": "sale_00000000000000000000000000",
      "amount": {
        "amount": 1250,
        "currency": "USD"
      },
      "refunded": {
        "amount": 1250,
        "currency": "USD"
      },
      "status": "completed",
      "restocked": true
    }
  },
  'listing.updated': {
    "id": "evt_00000000000000000000000000",
    "event": "listing.updated",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "listing_id": "lst_00000000000000000000000000",
      "marketplace": "sandbox",
      "external_id": "110551234567",
      "listing_title": "Dawn of Cinders Ember Fox 54/167 NM",
      "price": {
        "amount": 1250,
        "currency": "USD"
      },
      "revision": {
        "status": "pending",
        "failure": {
          "code": "ebay_25002",
          "message": "The price is lower than the marketplace allows."
        },
        "delayed_until": "2026-05-11T15:32:01.123456Z"
      }
    }
  },
  'sale.voided': {
    "id": "evt_00000000000000000000000000",
    "event": "sale.voided",
    "created_at": "2026-05-11T15:32:01.123456Z",
    "account_id": "acc_00000000000000000000000000",
    "data": {
      "card_id": "card_00000000000000000000000000",
      "title": "Ember Fox",
      "set": "Dawn of Cinders",
      "number": "54/167",
      "sale_id": "sale_00000000000000000000000000",
      "channel": "in_person",
      "gross": {
        "amount": 1250,
        "currency": "USD"
      },
      "sold_at": "2026-05-11T15:32:01.123456Z",
      "voided_at": "2026-05-11T15:32:01.123456Z",
      "restocked": true
    }
  },
}
