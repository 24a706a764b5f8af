// A real browser on the documentation: what it complains of, whom it talks to, and what axe finds.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { chromium } from 'playwright-core'

export const server = process.env.SERVER
export const token = process.env.TOKEN

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

// What a page must look good in.
export const views = [
  { name: 'desktop, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'desktop, dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'phone, light', viewport: { width: 360, height: 740 }, colorScheme: 'light', hasTouch: true, isMobile: true },
  { name: 'phone, dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark', hasTouch: true, isMobile: true },
]

/** Starts Chromium with a profile of its own, thrown away at the end, that reports to nobody. */
export function launch() {
  const args = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync']
  if (process.getuid() === 0) args.push('--no-sandbox')
  return chromium.launch({ executablePath: '/usr/bin/chromium-headless-shell', args })
}

/** Opens a tab and notes all that is wrong in it: complains() returns that. */
export async function open(browser, view, options = {}) {
  const context = await browser.newContext({ viewport: view.viewport, colorScheme: view.colorScheme, hasTouch: view.hasTouch, isMobile: view.isMobile, ...options })
  context.setDefaultTimeout(60_000) // a machine that is busy with the other tests
  const page = await context.newPage()
  const complaints = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`exception: ${error.message}`))
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()} (${request.failure()?.errorText})`))
  context.on('request', (request) => {
    if (!request.url().startsWith(`${server}/`) && !request.url().startsWith('data:')) complaints.push(`asks another host: ${request.url()}`)
  })
  return { page, complains: () => complaints, close: () => context.close() }
}

/** What axe finds in the page as it is, with all of its rules, those for good practice too: a line for each element. */
export async function violations(page) {
  await page.evaluate(axe)
  const found = await page.evaluate(() => globalThis.axe.run({ resultTypes: ['violations'] }))
  return found.violations.flatMap((v) => v.nodes.map((n) => `${v.id} (${v.impact}): ${n.html.slice(0, 160)}: ${n.failureSummary?.split('\n')[1]?.trim()}`))
}

/** By how many pixels the page is wider than its window. */
export function overflow(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}
