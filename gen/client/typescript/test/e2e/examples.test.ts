// Compiles the example programs and runs them as processes, each in an account of its own.
import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, test } from 'node:test'
import {
  type Card,
  CardVault,
  type Currency,
  decimalFromMoney,
  type Money,
  moneyFromDecimal,
  type Sale,
  type SalesReportRow,
} from '../../src/index.js'
import { api, folder, nodeTypes, source, token, tool } from './support/project.js'
import { gate, Shop } from './support/shop.js'

const demo = new CardVault({ baseUrl: api, token })
let programs: string

before(async () => {
  programs = await folder('examples')
  await cp(join(source, 'examples'), programs, { recursive: true })
  await tool(programs, 'tsc', '-p', 'tsconfig.json', ...nodeTypes)
})

/** Creates an empty folder for the files of a program. */
async function workplace(name: string): Promise<string> {
  const path = join(programs, name)
  await rm(path, { recursive: true, force: true })
  await mkdir(path)
  return path
}

/** Returns the photo of the front of a card of the demo. */
async function photoOf(sku: string): Promise<Blob> {
  const [card] = (await demo.listCards({ sku })).data
  const response = await fetch(card!.photos[0]!.url!)
  return new Blob([await response.arrayBuffer()], { type: 'image/jpeg' })
}

const usd = (amount: number): Money => ({ amount, currency: 'USD' })

/** Creates cards and returns the first one. */
async function addCard(shop: Shop, title: string, pricing: { asking_price?: Money; cost?: Money }, copies = 1) {
  const { data } = await shop.client.createCards({ cards: [{ identification: { title }, pricing, copies }] })
  return data[0] as Card
}

for (const name of ['mirror', 'accounting', 'repricer', 'scanner']) {
  test(`${name}: usage`, async () => {
    const shop = new Shop(programs, token)
    assert.match((await shop.run(name, ['--help'], ''))[0]!, new RegExp(`^usage: node ${name}.mts`))
    for (const argument of ['--unknown', '.']) assert.equal((await shop.start(name, [argument], '')).status, 2)
  })
}

test('a wrong token', async () => {
  const { status, errors } = await new Shop(programs, 'cv_test_wrong').start('accounting', [])
  assert.deepEqual([status, /^accounting: .+/.test(errors)], [1, true])
})

type Copy = Record<'cards' | 'listings' | 'sales', Record<string, string>>

/** Returns the time of the last change of each item in the file, by feed and identifier. */
async function copyIn(file: string): Promise<Copy> {
  const items: Copy = { cards: {}, listings: {}, sales: {} }
  for (const line of (await readFile(file, 'utf8')).trimEnd().split('\n')) {
    const { feed, id, item } = JSON.parse(line)
    if (feed === 'deletions') delete items.cards[id]
    else if (item) items[feed as keyof Copy][id] = item.updated_at
  }
  return items
}

/** Returns what a complete copy has. */
async function inventory({ client }: Shop): Promise<Copy> {
  const items: Copy = { cards: {}, listings: {}, sales: {} }
  for await (const { id, updated_at } of client.cards()) items.cards[id] = updated_at
  for await (const { id, updated_at } of client.listings()) items.listings[id] = updated_at
  for await (const { id, updated_at } of client.sales()) items.sales[id] = updated_at
  return items
}

test('mirror: killed after its first page and continued, the copy equals the inventory', async (t) => {
  const shop = await Shop.open(programs)
  const file = join(await workplace('copy'), 'inventory.jsonl')
  await addCard(shop, 'Ember Fox', {}, 248)
  await shop.publish([await addCard(shop, 'Listed', { asking_price: usd(500) })], await photoOf('DEMO-001'))
  const sold = await addCard(shop, 'Sold', {})
  const sale = await shop.client.sellCard(sold.id, { channel: 'in_person', price: usd(500) })

  const { base, held } = await gate(t, 1)
  await shop.kill('mirror', ['--file', file], base, held)
  const copied = Object.keys((await copyIn(file)).cards)
  assert.equal(copied.length, 200)
  await appendFile(file, '{"feed":"cards","id":"card_') // as a kill while the line is written does
  await shop.client.updateCard(copied[10]!, { notes: 'A nick.' })
  await shop.client.deleteCard(copied[20]!)
  assert.deepEqual(await shop.run('mirror', ['--file', file]), [
    'cards: 50 new, 1 changed',
    'cards: 1 deleted',
    'listings: 1 new, 0 changed',
    'sales: 1 new, 0 changed',
    'in all: 249 cards, 1 listings, 1 sales',
  ])
  assert.deepEqual(await copyIn(file), await inventory(shop))

  await shop.client.refundSale(sale.id, { restock: true })
  await shop.client.deleteCard(copied[30]!)
  assert.deepEqual(await shop.run('mirror', ['--file', file]), [
    'cards: 0 new, 1 changed',
    'cards: 1 deleted',
    'listings: 0 new, 0 changed',
    'sales: 0 new, 1 changed',
    'in all: 248 cards, 1 listings, 1 sales',
  ])
  assert.deepEqual(await copyIn(file), await inventory(shop))
  const [cards, deleted] = await shop.run('mirror', ['--file', file])
  assert.deepEqual([cards, deleted], ['cards: 0 new, 0 changed', 'cards: 0 deleted'])
})

/** Sells a card with fees. */
async function sell(shop: Shop, cost: Money | undefined, price: Money, sold_at: Date): Promise<Sale> {
  const fee = { kind: 'table', amount: { amount: 25, currency: price.currency } }
  const { id } = await addCard(shop, 'Ember "Fox", first', cost ? { cost } : {})
  const sale = { channel: 'in_person', price, sold_at: sold_at.toISOString(), fees: [fee, fee] } as const
  return shop.client.sellCard(id, { ...sale, fees: [fee, fee] })
}

test('accounting: the sums are those of the report', async (t) => {
  const shop = await Shop.open(programs)
  const now = new Date()
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()))
  const since = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1))
  const day = (n: number) => new Date(since.getTime() + n * 24 * 60 * 60 * 1000)
  await sell(shop, usd(300), usd(1000), since)
  await sell(shop, { amount: 150, currency: 'JPY' }, usd(2000), day(10))
  await sell(shop, undefined, { amount: 700, currency: 'CHF' }, new Date(before.getTime() - 1000))
  await sell(shop, usd(400), usd(900), before)
  const { id } = await sell(shop, usd(500), usd(3000), day(20))
  await shop.client.updateSale(id, { shipping_charged: usd(350), shipping_cost: usd(410), tax: usd(190) })
  await shop.client.refundSale(id, { restock: true })

  const path = await workplace('books')
  const passed = await gate(t, 1000)
  const lines = await shop.run('accounting', ['--folder', path], passed.base)
  assert.ok(passed.count <= 10, `${passed.count} requests`)
  const period = { since: since.toISOString(), before: before.toISOString() }
  const { data } = await shop.client.reportSales({ group_by: 'month', ...period })
  assert.deepEqual(
    data.map(({ currency }) => currency),
    ['CHF', 'JPY', 'USD'],
  )
  const month = period.since.slice(0, 7)
  for (const [n, row] of data.entries()) {
    const file = join(path, `sales-${month}-${row.currency}.csv`)
    assert.ok(lines[n]?.startsWith(`${file}: ${row.count} sales, gross `), lines[n])
    await checkSums(file, row)
  }
  assert.equal((await readdir(path)).length, 3)
  const none = await shop.run('accounting', ['--month', '2019-02', '--folder', path])
  assert.deepEqual(none, ['2019-02: 0 currencies'])
})

/** Compares the sums of the columns of a file with a row of the report. */
async function checkSums(file: string, report: SalesReportRow): Promise<void> {
  const [header, ...rows] = (await readFile(file, 'utf8')).trimEnd().split('\n').map(fieldsOf)
  for (const [column, name] of header!.entries()) {
    if (column < 5) continue
    const amounts = rows.map((row) => moneyFromDecimal(row[column]!, report.currency as Currency).amount)
    const amount = amounts.reduce((sum, amount) => sum + amount, 0)
    const sums = [amount, report[name as 'gross']].map((amount) => decimalFromMoney({ ...report, amount }))
    assert.equal(sums[0], sums[1], `${name} of ${file}`)
  }
}

/** Returns the fields of a line of a CSV file. */
function fieldsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
  )
}

test('repricer: a dry run prints the changes, and --apply makes them', async () => {
  const shop = await Shop.open(programs)
  const cards = [
    await addCard(shop, 'Cheap', { asking_price: usd(2010), cost: usd(500) }),
    await addCard(shop, 'Floor', { asking_price: usd(1000), cost: usd(900) }),
    await addCard(shop, 'Dear', { asking_price: usd(1000), cost: usd(950) }),
    await addCard(shop, 'Gift', { asking_price: usd(1000) }),
  ]
  await shop.publish(cards, await photoOf('DEMO-001'))
  const prices = async () => {
    const now = await Promise.all(cards.map(({ id }) => shop.client.getCard(id)))
    return now.map(({ pricing }) => pricing.asking_price?.amount)
  }
  assert.deepEqual(await shop.run('repricer', ['--apply']), ['0 prices changed'])
  const changes = [
    `${cards[3]!.id} Gift: keeps 10.00 USD, has no cost in USD`,
    `${cards[1]!.id} Floor: 10.00 to 9.90 USD`,
    `${cards[0]!.id} Cheap: 20.10 to 19.10 USD`,
  ]
  const dry = await shop.run('repricer', ['--days', '0'])
  assert.deepEqual(dry, [...changes, '2 prices to change: run it again with --apply'])
  assert.deepEqual(await prices(), [2010, 1000, 1000, 1000])
  const applied = await shop.run('repricer', ['--days', '0', '--apply'])
  assert.deepEqual(applied, [...changes, '2 prices changed'])
  assert.deepEqual(await prices(), [1910, 990, 1000, 1000])
})

test('scanner: two photos become listings, a third needs a choice', async () => {
  const shop = await Shop.open(programs)
  const path = await workplace('photos')
  for (const [name, sku] of [
    ['1.jpg', 'DEMO-001'],
    ['2.JPG', 'DEMO-011'],
    ['3.jpeg', 'DEMO-023'],
  ] as const) {
    await writeFile(join(path, name), new Uint8Array(await (await photoOf(sku)).arrayBuffer()))
  }
  await writeFile(join(path, 'notes.txt'), 'not a photo')
  const printed = (await shop.run('scanner', ['--publish', path])).join('\n')
  assert.match(printed, /^1\.jpg: card_\w+, Lanternfin Otter, 0\.25 USD, listed$/m)
  assert.match(printed, /^2\.JPG: card_\w+, Ashquill Scribe, 0\.15 USD, listed$/m)
  assert.match(printed, /^3\.jpeg needs review: card_/m)
  assert.match(printed, /^3\.jpeg: card_\w+, not identified, no price, needs_review$/m)

  // A person takes the first candidate.
  const [, best] = /^  1  (.+), /m.exec(printed) ?? []
  const again = (await shop.run('scanner', ['--publish', '--take', '1', path])).join('\n')
  assert.match(again, new RegExp(`^3\\.jpeg: card_\\w+, ${best}, .+, listed$`, 'm'))
  assert.equal((await shop.client.listCards()).data.length, 3)

  await rm(join(path, 'cards.json')) // as a crash before it is written does
  assert.equal((await shop.run('scanner', [path])).length, 3)
  assert.equal((await shop.client.listCards()).data.length, 3)

  await writeFile(join(path, '4.png'), 'not a photo')
  const refused = await shop.start('scanner', [path])
  assert.deepEqual([refused.status, /^4\.png: /m.test(refused.errors)], [1, true])
  const empty = await shop.start('scanner', [await workplace('empty')])
  assert.deepEqual([empty.status, /has no photos/.test(empty.errors)], [1, true])
})
