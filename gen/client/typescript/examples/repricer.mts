// Lowers the prices of cards that have been listed for a while.
//
//   API=https://vault.example/api TOKEN=cv_… node repricer.mts --days 30 --percent 5 --margin 10
//
// It lowers the price of a card by 5 % if the card has been listed at this price for 30 days, but not below its cost
// and 10 %. Without --apply it only prints what it would change. 5,000 prices take 10 write requests.
import { parseArgs } from 'node:util'
import { bulkUpdate, type CardUpdate, CardVault, decimalFromMoney, type Money } from '@cardvault/client'

const usage = `usage: node repricer.mts [--days N] [--percent N] [--margin N] [--apply]

Lowers the prices of cards of the account of API and TOKEN that have been listed for a while.

  --days N     lower the prices of cards that have been listed for so many days at the same price (default: 30)
  --percent N  by so many percent, from 1 to 99 (default: 5)
  --margin N   but not below the cost of the card and so many percent, from 0 to 1000 (default: 10)
  --apply      change the prices instead of only printing the changes`

/** Says which prices to lower. */
interface Rule {
  /** For cards that have been listed at their price since then, in milliseconds since 1970. */
  unchangedSince: number
  /** By how much. */
  percent: number
  /** The minimum profit, in percent of the cost. */
  margin: number
}

/** Prints the new prices and, with apply, sets them. */
async function reprice(client: CardVault, rule: Rule, apply: boolean): Promise<void> {
  const updates = await newPrices(client, rule)
  if (!apply) {
    console.log(`${updates.length} prices to change: run it again with --apply`)
    return
  }
  let changed = 0
  for await (const { id, error } of bulkUpdate(client, updates)) {
    if (error) console.error(`${id} keeps its price: ${error.message}`)
    else changed++
  }
  console.log(`${changed} prices changed`)
  if (changed < updates.length) throw new Error('some prices could not be changed: run it again')
}

/** Returns the changes of the prices to lower, and prints them. */
async function newPrices(client: CardVault, rule: Rule): Promise<CardUpdate[]> {
  const published = new Map<string, string | null>()
  for await (const listing of client.listings({ status: ['live'], limit: 200 })) {
    published.set(listing.card_id, listing.published_at)
  }
  const updates: CardUpdate[] = []
  for await (const { id, title, version, pricing } of client.cards({ status: ['listed'], limit: 200 })) {
    const { asking_price: price, cost, priced_at } = pricing
    const at = published.get(id)
    if (!price || !at || Math.max(Date.parse(at), Date.parse(priced_at ?? at)) > rule.unchangedSince) continue
    if (cost?.currency !== price.currency) {
      const { currency } = price
      console.log(`${id} ${title}: keeps ${decimalFromMoney(price)} ${currency}, has no cost in ${currency}`)
      continue
    }
    const lower = lowerPrice(rule, price, cost)
    if (lower.amount >= price.amount) continue
    console.log(`${id} ${title}: ${decimalFromMoney(price)} to ${decimalFromMoney(lower)} ${price.currency}`)
    // With the version, a card that is changed in the meantime keeps its price.
    updates.push({ id, version, pricing: { asking_price: lower } })
  }
  return updates
}

/** Returns the lower price. It is calculated with whole minor units, such as cents, and rounded up. */
function lowerPrice({ percent, margin }: Rule, price: Money, cost: Money): Money {
  const amount = Math.max(percentOf(price.amount, 100 - percent), percentOf(cost.amount, 100 + margin))
  return { amount, currency: price.currency }
}

/** Returns a percentage of an amount, rounded up. */
function percentOf(amount: number, percent: number): number {
  return Math.floor((amount * percent + 99) / 100)
}

/** Reads the arguments and the environment. Ends the program with status 2 if they are wrong. */
function settings(): { client: CardVault; rule: Rule; apply: boolean } {
  try {
    const { values } = parseArgs({
      options: {
        days: { type: 'string', default: '30' },
        percent: { type: 'string', default: '5' },
        margin: { type: 'string', default: '10' },
        apply: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    const unchangedSince = Date.now() - integer('days', values.days, 0, 36_500) * 24 * 60 * 60 * 1000
    const percent = integer('percent', values.percent, 1, 99)
    const margin = integer('margin', values.margin, 0, 1000)
    const client = new CardVault({ baseUrl: process.env.API ?? '', token: process.env.TOKEN ?? '' })
    return { client, rule: { unchangedSince, percent, margin }, apply: values.apply }
  } catch (error) {
    console.error(`repricer: check the arguments, API and TOKEN: ${messageOf(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function integer(name: string, text: string, from: number, to: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < from || value > to) throw new TypeError(`--${name} must be from ${from} to ${to}`)
  return value
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const { client, rule, apply } = settings()
try {
  await reprice(client, rule, apply)
} catch (error) {
  console.error(`repricer: ${messageOf(error)}`)
  process.exitCode = 1
}
