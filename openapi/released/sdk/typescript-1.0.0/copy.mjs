// Keeps a copy of the inventory with version 1.0.0 of the TypeScript client, as go-1.0.0/copy does:
//
//   API=http://127.0.0.1:8080/api TOKEN=cv_test_… node copy.mjs

import { createInterface } from 'node:readline'
import { CardVault } from './client/dist/index.js'

const api = new CardVault({ baseUrl: process.env.API, token: process.env.TOKEN })
const copied = {}
const changes = api.changes({ since: new Date(0), once: true })
let deleted = new Date(Date.now() - 60_000).toISOString()

/** Removes the cards that were deleted since the last one that was seen. */
async function readDeletions() {
  const query = new URLSearchParams({ updated_since: deleted })
  for (;;) {
    const response = await fetch(`${process.env.API}/deletions?${query}`, {
      headers: { Authorization: `Bearer ${process.env.TOKEN}` },
    })
    const page = await response.json()
    for (const deletion of page.data) {
      delete copied[deletion.card_id]
      deleted = deletion.deleted_at
    }
    if (page.next_cursor === null) return
    query.set('cursor', page.next_cursor)
  }
}

for await (const command of createInterface({ input: process.stdin })) {
  if (command === 'cards') {
    for await (const card of changes) copied[card.id] = Math.max(copied[card.id] ?? 0, card.version)
  } else if (command === 'deletions') {
    await readDeletions()
  }
  console.log(JSON.stringify(copied))
}
