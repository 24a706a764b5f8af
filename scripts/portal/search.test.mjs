// The search: what it finds while a reader types, by keyboard and by mouse, in every view and beside the reference.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, open, overflow, server, views, violations } from './browser.mjs'

let browser
before(async () => { browser = await launch() })
after(() => browser.close())

const [desktop] = views

/** Opens a page and returns its tab with the search field and its results. */
async function show(view, path) {
  const tab = await open(browser, view)
  await tab.page.goto(server + path)
  const field = tab.page.getByRole('combobox', { name: 'Search', exact: true })
  return { ...tab, field, options: tab.page.getByRole('option') }
}

/** Types words in place of those before, and waits for the results. */
async function find({ field, options }, words) {
  await field.fill('')
  await options.first().waitFor({ state: 'hidden' })
  await field.fill(words)
  await options.first().waitFor()
}

/** The address that a result leads to, without the server. */
const address = (option) => option.evaluate((link) => link.getAttribute('href'))

const firsts = {
  bulk: ['/docs/bulk-and-jobs', 'guide'],
  delete: ['/docs/reference#v1/tag/cards/deleteCard', 'operation'],
  refund: ['/docs/reference#v1/tag/sales/refundSale', 'operation'],
  candidates: ['/docs/reference#v1/tag/identification/listCardCandidates', 'operation'],
  profit: ['/docs/sales-and-accounting#report-the-profit-of-a-month', 'guide'],
  'webhook secret': ['/docs/reference#v1/tag/webhooks/rotateWebhookSecret', 'operation'],
  misspelt: ['/docs/photos-and-identification#find-a-misspelt-card-in-the-catalogue', 'guide'],
  restock: ['/docs/reference#v1/models/RefundInput', 'field'],
  card_not_priced: ['/docs/errors#card_not_priced', 'error code'],
}

test('words lead to the right places', async () => {
  const tab = await show(desktop, '/docs/errors')
  const { page, complains, options, close } = tab
  for (const [word, [want, kind]] of Object.entries(firsts)) {
    await find(tab, word)
    assert.equal(await address(options.first()), want, word)
    assert.match(await options.first().locator('strong + span').textContent(), new RegExp(`^${kind}\\b`), word)
    const marked = await page.locator('[role=option] mark').allTextContents()
    assert.ok(marked.some((text) => text.toLowerCase().includes(word.split(' ')[0])), `${word}: marked are ${marked}`)
  }
  assert.deepEqual(complains(), [])
  await close()
})

test('works by keyboard', async () => {
  const { page, complains, field, options, close } = await show(desktop, '/docs/errors')
  const focused = () => field.evaluate((input) => input === document.activeElement)
  await page.keyboard.press('/')
  assert.equal(await focused(), true)
  assert.equal(await field.inputValue(), '')
  await page.keyboard.type('refund')
  await options.first().waitFor()
  assert.equal(await field.getAttribute('aria-expanded'), 'true')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'hidden' })
  assert.equal(await field.getAttribute('aria-expanded'), 'false')

  await page.locator('#main').focus()
  await page.keyboard.press('Control+k')
  assert.equal(await focused(), true)
  await page.keyboard.type('profit') // in place of the word before, which is selected
  await options.first().waitFor()
  for (const [key, chosen] of [['ArrowDown', 0], ['ArrowDown', 1], ['ArrowUp', 0], ['ArrowUp', await options.count() - 1], ['ArrowDown', 0]]) {
    await page.keyboard.press(key)
    const option = options.nth(chosen)
    assert.equal(await option.getAttribute('aria-selected'), 'true', `${key} chooses ${chosen}`)
    assert.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    assert.equal(await page.locator('[aria-selected=true]').count(), 1)
  }
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server}/docs/sales-and-accounting#report-the-profit-of-a-month`)
  assert.deepEqual(complains(), [])
  await close()
})

test('Enter without a choice shows all results', async () => {
  const { page, field, close } = await show(desktop, '/docs/errors')
  await field.fill('card')
  await field.press('Enter')
  await page.waitForURL(`${server}/docs/search?q=card`)
  assert.equal(await page.locator('.results > li').count(), 30)
  await close()
})

test('says that it finds nothing', async () => {
  const { page, field, options, close } = await show(desktop, '/docs/errors')
  await field.fill('xyzzy')
  await page.getByRole('status').getByText('Nothing has all words of “xyzzy”').waitFor()
  assert.equal(await options.count(), 0)
  assert.deepEqual(await violations(page), [])
  await close()
})

for (const view of views) {
  test(`is accessible and fits: ${view.name}`, async () => {
    const { page, complains, field, options, close } = await show(view, '/docs/errors')
    await field.fill('webhook')
    await options.nth(7).waitFor()
    await field.press('ArrowDown')
    assert.deepEqual(await violations(page), [])
    assert.ok(await overflow(page) <= 0, 'the page is too wide')
    const { left, right } = await options.first().evaluate((option) => option.getBoundingClientRect())
    assert.ok(left >= 0 && right <= view.viewport.width, `the results are at ${left} to ${right}`)
    await options.nth(1).click()
    await page.waitForURL((url) => url.pathname !== '/docs/errors' || url.hash !== '')
    assert.deepEqual(complains(), [])
    await close()
  })
}

test('leads to places of the reference beside it', async () => {
  const tab = await show(desktop, '/docs/reference')
  const { page, complains, field, options, close } = tab
  await page.getByRole('heading', { name: 'CardVault API', exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('refund')
  await options.first().waitFor()
  assert.deepEqual(await violations(page), [])
  for (const [word, title] of [['refund', 'Refund a sale'], ['restock', 'RefundInput']]) {
    await find(tab, word)
    await field.press('ArrowDown')
    await field.press('Enter')
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
  }
  assert.deepEqual(complains(), [])
  await close()
})
