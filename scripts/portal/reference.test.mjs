// The reference: it draws, in every view; links lead into it; and a request can be tried against this very server.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { launch, open, overflow, server, token, views, violations } from './browser.mjs'

let browser
before(async () => { browser = await launch() })
after(() => browser.close())

const [light, , , darkPhone] = views

/** Opens the reference at a place and waits until that is drawn. */
async function show(view, place, title) {
  const tab = await open(browser, view)
  await turn(tab, place, title)
  return tab
}

/** Shows another place of the reference, without loading it again if it is open. */
async function turn({ page }, place, title) {
  await page.goto(`${server}/docs/reference#v1/${place}`)
  await page.getByRole('heading', { name: title, exact: true }).waitFor()
}

/** Fails if there is anything wrong with the page once it has come to rest: the component draws in steps. */
async function check({ page, complains }, what) {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => Promise.all(document.getAnimations().filter((a) => a.effect.getTiming().iterations !== Infinity).map((a) => a.finished.catch(() => {}))))
  assert.deepEqual(await violations(page), [], what)
  assert.deepEqual(complains(), [], what)
  assert.ok(await overflow(page) <= 0, `${what} is too wide`)
}

for (const view of views) {
  test(`an operation: ${view.name}`, async () => {
    const tab = await show(view, 'tag/cards/listCards', 'List cards')
    await check(tab, 'the operation')
    await tab.close()
  })
}

test(`other places: ${darkPhone.name}`, async () => {
  const tab = await show(darkPhone, 'tag/listings/publishCard', 'Publish a card')
  await check(tab, 'Publish a card')
  for (const [place, title] of [['webhook/listing.sold', 'listing.sold'], ['models/Card', 'Card']]) {
    await turn(tab, place, title)
    await check(tab, title)
  }
  await tab.close()
})

for (const view of [light, darkPhone]) {
  test(`a request is tried: ${view.name}`, async () => {
    const tab = await show(view, 'tag/cards/listCards', 'List cards')
    const { page, close } = tab
    const answered = page.waitForResponse(`${server}/api/cards`) // without the optional parameters: none was chosen
    await page.getByRole('button', { name: 'Test Request (get /cards)' }).click()
    const client = page.getByRole('dialog', { name: 'API Client' })
    await client.getByPlaceholder('Token').fill(token)
    await client.getByRole('button', { name: /^Send/ }).first().click()

    const answer = await answered
    assert.equal(answer.status(), 200)
    assert.equal(await answer.request().headerValue('authorization'), `Bearer ${token}`)
    const [card] = (await answer.json()).data
    await client.getByText('200 OK').first().waitFor()
    await client.getByText(card.id).first().waitFor()
    await check(tab, 'the answer')

    await page.keyboard.press('Escape')
    await client.waitFor({ state: 'hidden' })
    await page.locator('.home').click() // what the client held back is free again
    await page.waitForURL(`${server}/docs`)
    await close()
  })
}

test('operations are searched', async () => {
  const tab = await show(light, 'tag/cards/listCards', 'List cards')
  await tab.page.keyboard.press('Control+k')
  await tab.page.getByRole('combobox', { name: 'Enter search query' }).fill('publish')
  await tab.page.getByRole('option', { name: /Publish a card/ }).first().waitFor()
  await check(tab, 'the search')
  await tab.close()
})

test('guides lead to operations and events', async () => {
  const { page, complains, close } = await open(browser, light)
  await page.goto(`${server}/docs/idempotency`)
  await page.getByRole('link', { name: 'POST /batches', exact: true }).click()
  await page.getByRole('heading', { name: 'Create a batch', exact: true }).waitFor()
  await page.goto(`${server}/docs/webhooks#listingsold`)
  await page.locator('#listingsold ~ p a', { hasText: 'Fields' }).first().click()
  await page.getByRole('heading', { name: 'listing.sold', exact: true }).waitFor()
  assert.deepEqual(complains(), [])
  await close()
})

test('v2 can be looked at too', async () => {
  const tab = await open(browser, light)
  await tab.page.goto(`${server}/docs/reference#v2`)
  await tab.page.getByRole('heading', { name: 'CardVault API v2 (preview)' }).waitFor()
  await check(tab, 'v2')
  await tab.close()
})
