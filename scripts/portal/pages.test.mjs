// Every page at every size and in both colours, and what pages do: the menu, copying, searching, working without scripts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { launch, open, overflow, server, views, violations } from './browser.mjs'

let browser
before(async () => { browser = await launch() })
after(() => browser.close())

const [desktop, , phone] = views

/** The addresses of all pages, from the navigation, and of those that are not in it. */
async function addresses() {
  const { page, close } = await open(browser, desktop)
  await page.goto(`${server}/docs`)
  const linked = await page.locator('#navigation a').evaluateAll((links) => links.map((link) => new URL(link.href).pathname))
  await close()
  assert.ok(linked.length >= 12, `only ${linked.length} pages in the navigation`)
  return ['/docs', ...linked.filter((path) => path !== '/docs/reference'), '/docs/search?q=cursor', '/docs/search?q=xyzzy', '/docs/nowhere']
}

/** All that is wrong with a page in an open tab, which has shown others before. */
async function check({ page, complains }, view, path) {
  const answer = await page.goto(server + path)
  const wrong = complains().splice(0)
  if (path === '/docs/nowhere') {
    assert.equal(answer.status(), 404)
    assert.equal(wrong.splice(0).length, 1, 'the browser tells of the 404, and of nothing else')
  } else if (answer.status() !== 200) wrong.push(`status ${answer.status()}`)
  const wide = await overflow(page)
  if (wide > 0) wrong.push(`${wide} pixels too wide`)
  wrong.push(...await violations(page), ...complains().splice(0))
  return wrong.map((what) => `${path}, ${view.name}: ${what}`)
}

for (const view of views) {
  test(`every page: ${view.name}`, async () => {
    const tab = await open(browser, view)
    const wrong = []
    for (const path of await addresses()) wrong.push(...await check(tab, view, path))
    assert.deepEqual(wrong, [])
    await tab.close()
  })
}

describe('a page', () => {
  test('follows the system to the dark', async () => {
    const grounds = []
    for (const view of views.slice(0, 2)) {
      const { page, close } = await open(browser, view)
      await page.goto(`${server}/docs/errors`)
      grounds.push(await page.evaluate(() => getComputedStyle(document.body).backgroundColor))
      await close()
    }
    assert.deepEqual(grounds, ['rgb(255, 255, 255)', 'rgb(17, 21, 28)'])
  })

  test('has its navigation behind a button on a phone', async () => {
    const { page, complains, close } = await open(browser, phone)
    await page.goto(`${server}/docs/errors`)
    const menu = page.getByRole('button', { name: 'Menu' })
    const link = page.locator('#navigation').getByRole('link', { name: 'Webhooks' })
    assert.equal(await link.isVisible(), false)
    await menu.press('Enter')
    assert.equal(await menu.getAttribute('aria-expanded'), 'true')
    assert.deepEqual(await violations(page), [])
    await page.keyboard.press('Escape')
    assert.equal(await link.isVisible(), false)
    assert.equal(await menu.evaluate((button) => button === document.activeElement), true)
    await menu.tap()
    await link.tap()
    await page.waitForURL(`${server}/docs/webhooks`)
    assert.deepEqual(complains(), [])
    await close()
  })

  test('can be reached past the navigation by keyboard', async () => {
    const { page, close } = await open(browser, desktop)
    await page.goto(`${server}/docs/errors`)
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the content')
    await page.keyboard.press('Enter')
    assert.equal(await page.evaluate(() => document.activeElement.id), 'main')
    await close()
  })

  test('lets code be copied', async () => {
    const { page, complains, close } = await open(browser, desktop, { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`${server}/docs/authentication`)
    const figure = page.locator('figure.code').first()
    await figure.hover()
    await figure.getByRole('button', { name: 'Copy' }).click()
    await figure.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await figure.locator('code').textContent())
    assert.deepEqual(complains(), [])
    await close()
  })

  test('can be viewed as Markdown', async () => {
    // Complaints are not checked: for a page that is not HTML the browser requests /favicon.ico, which does not exist.
    const { page, close } = await open(browser, desktop)
    await page.goto(`${server}/docs/errors`)
    const [answer] = await Promise.all([
      page.waitForResponse(`${server}/docs/errors.md`),
      page.getByRole('link', { name: 'View as Markdown' }).click(),
    ])
    assert.equal(answer.headers()['content-type'], 'text/markdown; charset=utf-8')
    await page.getByText('# Errors').waitFor()
    await close()
  })

  test('shows the row that a link names', async () => {
    const { page, close } = await open(browser, phone)
    await page.goto(`${server}/docs/errors#card_not_priced`)
    const row = page.locator('tr', { has: page.locator('#card_not_priced') })
    await row.scrollIntoViewIfNeeded()
    const shown = await row.evaluate((r) => r.getBoundingClientRect().top)
    assert.ok(shown > 50 && shown < 740, `the row is at ${shown}`)
    await close()
  })

  test('can be read, found and navigated without scripts', async () => {
    const { page, complains, close } = await open(browser, phone, { javaScriptEnabled: false })
    await page.goto(`${server}/docs`)
    await page.getByRole('searchbox', { name: 'Search' }).fill('card_not_priced')
    await page.getByRole('searchbox', { name: 'Search' }).press('Enter')
    await page.getByRole('link', { name: 'card_not_priced error code' }).click()
    await page.waitForURL(/\/docs\/errors#card_not_priced$/)
    assert.equal(await page.locator('#navigation').isVisible(), true)
    assert.equal(await page.getByRole('button', { name: 'Menu' }).isVisible(), false)
    assert.deepEqual(complains(), [])
    await page.goto(`${server}/docs/reference`)
    assert.equal(await page.locator('noscript p').isVisible(), true)
    assert.equal(await page.locator('#waiting').isVisible(), false)
    await close()
  })
})
