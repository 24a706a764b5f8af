import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import {
  type CatalogCard,
  type Currency,
  decimalFromMoney,
  type IdentificationResult,
  moneyFromDecimal,
  patchFromCandidate,
} from '../src/index.js'
import { exponent } from '../src/money.js'

for (const [number, currency, amount, decimal] of [
  ['12.50', 'USD', 1250, '12.50'],
  ['12.5', 'USD', 1250, '12.50'],
  ['12', 'USD', 1200, '12.00'],
  ['0.05', 'USD', 5, '0.05'],
  ['-0.05', 'USD', -5, '-0.05'],
  ['12.5000', 'USD', 1250, '12.50'],
  ['1250.00', 'JPY', 1250, '1250'],
  ['1.25', 'KWD', 1250, '1.250'],
  ['-0', 'KWD', 0, '0.000'],
] as const) {
  test(`${number} ${currency}`, () => {
    assert.deepEqual(moneyFromDecimal(number, currency), { amount, currency })
    assert.equal(decimalFromMoney({ amount, currency }), decimal)
  })
}

test('what is no amount', () => {
  for (const number of ['', '.5', '5.', '1,250', '1e3', '$5', '12.505', '99999999999999999999']) {
    assert.throws(() => moneyFromDecimal(number, 'USD'), TypeError, number)
  }
})

test('what is no string or no currency', () => {
  for (const number of [12.5, true, null, undefined, 5n]) {
    assert.throws(() => moneyFromDecimal(number as unknown as string, 'USD'), /is not a string/)
  }
  for (const [currency, words] of [
    ['usd', /write USD/],
    ['XXX', /ISO 4217/],
    ['', /ISO 4217/],
    ['US', /ISO 4217/],
  ] as const) {
    assert.throws(() => moneyFromDecimal('1', currency as Currency), words)
  }
  for (const number of ['9'.repeat(40), '1000000000.00']) {
    assert.throws(() => moneyFromDecimal(number, 'USD'), /too large/)
  }
})

test('the exponents are those of the service', async () => {
  const file = new URL('../../../../../internal/money/currency.go', import.meta.url)
  let count = 0
  for (const [, digits, text] of (await readFile(file, 'utf8')).matchAll(/\t(\d): ("[^:]*),\n/g)) {
    for (const [code] of text!.matchAll(/[A-Z]{3}/g)) {
      count++
      assert.equal(exponent(code as Currency), Number(digits), code)
    }
  }
  assert.ok(count > 150)
})

const candidate: IdentificationResult = {
  title: 'Ember Fox',
  set: null,
  number: '3/18',
  game: 'other',
  year: null,
  variant: null,
  language: null,
  catalog_id: null,
  confidence: 0.9,
  provider: 'visual',
  signals: [],
  grade: null,
}

test('a candidate as a patch', () => {
  const { confidence, provider, signals, grade, ...fields } = candidate
  assert.deepEqual(patchFromCandidate(candidate), fields)
  assert.deepEqual(patchFromCandidate({ ...candidate, catalog_id: 'cat_1' }), { catalog_id: 'cat_1' })
  assert.deepEqual(patchFromCandidate({ id: 'cat_1', title: 'Ember Fox' } as CatalogCard), { catalog_id: 'cat_1' })
})
