// Writes the sales of a month to CSV files for the accountant, one for each currency.
//
//   API=https://vault.example/api TOKEN=cv_… node accounting.mts --month 2026-10 --folder books
//
// The month is one of the account's time zone. The sums of the files are compared with the report of the service. A
// month with 1,600 sales takes 10 requests.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { CardVault, type Currency, decimalFromMoney, type Sale, type SalesReportRow } from '@cardvault/client'

const usage = `usage: node accounting.mts [--month YYYY-MM] [--folder FOLDER]

Writes the sales of a month of the account of API and TOKEN to CSV files, one for each currency.

  --month YYYY-MM  the month (default: last month)
  --folder FOLDER  the folder for the files (default: .)`

const columns = [
  ...(['gross', 'shipping_charged', 'shipping_cost', 'fees', 'tax'] as const),
  ...(['net', 'refunds', 'tax_refunded', 'fees_returned', 'cost', 'profit'] as const),
]
const header = ['sold_at', 'sale', 'order', 'channel', 'title', ...columns]

/** Amounts in minor units, such as cents. */
type Amounts = Record<(typeof columns)[number], number>
const zero = Object.fromEntries(columns.map((name) => [name, 0])) as Amounts

/** A row of a file: a sale and its amounts in the currency of the file. */
interface Entry {
  sale: Sale
  amounts: Amounts
}

/** Writes the files of a month and prints their sums. */
async function account(client: CardVault, month: string | undefined, folder: string): Promise<void> {
  const { time_zone } = await client.getAccount()
  const [year = 0, number = 0] = month ? month.split('-').map(Number) : lastMonth(time_zone)
  const since = startOfMonth(year, number, time_zone).toISOString()
  const before = startOfMonth(year, number + 1, time_zone).toISOString()
  const report = await client.reportSales({ group_by: 'month', since, before, time_zone })
  const books = await readBooks(client, since, before)
  const name = `${year}-${String(number).padStart(2, '0')}`
  if (books.size !== report.data.length) throw changed()
  for (const row of report.data) {
    write(join(folder, `sales-${name}-${row.currency}.csv`), books.get(row.currency) ?? [], row, time_zone)
  }
  console.log(`${name}: ${report.data.length} currencies`)
}

/** Returns the error of a sale that was recorded or changed between two requests. */
function changed(): Error {
  return new Error('the sales differ from the report, because one has just changed: run it again')
}

/** Returns the date and the time of a time zone, such as 2026-10-31 23:59:59. */
function localTime(at: number, timeZone: string): string {
  // Swedish is written like ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(at)
}

/** Returns the year and the number of last month. */
function lastMonth(timeZone: string): [year: number, month: number] {
  const [year = 0, month = 0] = localTime(Date.now(), timeZone).split('-').map(Number)
  return month === 1 ? [year - 1, 12] : [year, month - 1]
}

/** Returns the start of a month, from 1, in a time zone. */
function startOfMonth(year: number, month: number, timeZone: string): Date {
  const offset = (at: number) => Date.parse(`${localTime(at, timeZone).replace(' ', 'T')}Z`) - at
  const utc = Date.UTC(year, month - 1)
  return new Date(utc - offset(utc - offset(utc)))
}

/** Returns the entries of each currency, oldest first. A voided sale has none. */
async function readBooks(client: CardVault, since: string, before: string): Promise<Map<Currency, Entry[]>> {
  const books = new Map<Currency, Entry[]>()
  for await (const sale of client.sales({ sold_since: since, sold_before: before, limit: 200 })) {
    if (sale.status === 'voided') continue
    for (const [currency, amounts] of amountsOf(sale)) {
      books.set(currency, [{ sale, amounts }, ...(books.get(currency) ?? [])])
    }
  }
  return books
}

/**
 * Returns the amounts of a sale in its currency. If the card was bought in another currency, its cost is in a second
 * row, in that currency. The cost of a card that came back does not count.
 */
function amountsOf(sale: Sale): [Currency, Amounts][] {
  const currency = sale.gross.currency
  const cost = sale.restocked_at ? null : sale.cost_at_sale
  const amounts = {
    gross: sale.gross.amount,
    shipping_charged: sale.shipping_charged.amount,
    shipping_cost: sale.shipping_cost.amount,
    fees: sale.fees.reduce((sum, { amount }) => sum + amount.amount, 0),
    tax: sale.tax.amount,
    net: sale.net.amount,
    refunds: sale.refunds.reduce((sum, { amount }) => sum + amount.amount, 0),
    tax_refunded: sale.refunds.reduce((sum, { parts }) => sum + parts.tax.amount, 0),
    fees_returned: sale.refunds.reduce((sum, { parts }) => sum + parts.fees.amount, 0),
    cost: cost?.currency === currency ? cost.amount : 0,
  }
  const returned = amounts.refunds - amounts.tax_refunded - amounts.fees_returned
  const row: [Currency, Amounts] = [currency, { ...amounts, profit: amounts.net - returned - amounts.cost }]
  if (!cost || cost.currency === currency) return [row]
  return [row, [cost.currency, { ...zero, cost: cost.amount, profit: -cost.amount }]]
}

/** Writes the file of a currency and prints its sums, which must be those of the report. */
function write(path: string, entries: Entry[], report: SalesReportRow, timeZone: string): void {
  const sums = { ...zero }
  for (const { amounts } of entries) for (const name of columns) sums[name] += amounts[name]
  if (columns.some((name) => sums[name] !== report[name])) throw changed()
  const rows = entries.map(({ sale, amounts }) => [
    localTime(Date.parse(sale.sold_at), timeZone).slice(0, 16),
    sale.id,
    sale.order_reference ?? '',
    sale.channel,
    sale.card.title ?? '',
    ...decimals(amounts, report.currency),
  ])
  writeFileSync(path, [header, ...rows].map((row) => `${row.map(quoted).join(',')}\n`).join(''))
  const texts = decimals(sums, report.currency).map((decimal, n) => `${columns[n]} ${decimal}`)
  console.log(`${path}: ${report.count} sales, ${texts.join(', ')}`)
}

/** Returns the amounts as decimal numbers, in the order of the columns. */
function decimals(amounts: Amounts, currency: Currency): string[] {
  return columns.map((name) => decimalFromMoney({ amount: amounts[name], currency }))
}

/** Returns a field of a CSV file. */
function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Reads the arguments and the environment. Ends the program with status 2 if they are wrong. */
function settings(): { client: CardVault; month: string | undefined; folder: string } {
  try {
    const folder = { type: 'string', default: '.' } as const
    const { values } = parseArgs({ options: { month: { type: 'string' }, folder, help: { type: 'boolean' } } })
    if (values.help) {
      console.log(usage)
      process.exit()
    }
    if (values.month && !/^\d{4}-(0[1-9]|1[0-2])$/.test(values.month)) throw new TypeError('a month is like 2026-10')
    const client = new CardVault({ baseUrl: process.env.API ?? '', token: process.env.TOKEN ?? '' })
    return { client, month: values.month, folder: values.folder }
  } catch (error) {
    console.error(`accounting: check the arguments, API and TOKEN: ${messageOf(error)}\n\n${usage}`)
    process.exit(2)
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const { client, month, folder } = settings()
try {
  await account(client, month, folder)
} catch (error) {
  console.error(`accounting: ${messageOf(error)}`)
  process.exitCode = 1
}
