import { allTabs } from '@atrium/contract/tabs.ts'
import type { Page } from '@playwright/test'
import { at, expect, haveSession, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

const tabs = allTabs.filter(({ texts }) => texts.length > 0)

/** Records the paths that the page requests: code and texts, and data. */
function record(page: Page) {
  const requested: { path: string; isCode: boolean }[] = []
  page.on('request', (request) => {
    const { pathname: path } = new URL(request.url())
    if (path.endsWith('.js') && path.startsWith('/account/assets/')) requested.push({ path, isCode: true })
    else if (request.resourceType() === 'fetch') requested.push({ path, isCode: false })
  })
  return requested
}

const codeIn = (requested: ReturnType<typeof record>) =>
  requested.filter(({ isCode }) => isCode).map(({ path }) => path)

/** Waits until the page has requested nothing for half a second: its load state says so only once per document. */
async function quiet(page: Page) {
  for (;;) {
    const more = await page.waitForEvent('request', { timeout: 500 }).catch(() => undefined)
    if (!more) return
  }
}

for (const { name } of tabs) {
  test(`${name}: opened first, its page names all code and texts, and none is requested after the first data`, async ({
    page,
    reader,
  }) => {
    await haveSession(page, reader)
    await page.goto('about:blank')
    // A route disables the cache.
    await page.route('**/assets/**', (route) => route.continue())
    const requested = record(page)
    const reply = await page.goto(`${at.account}/account?tab=${name}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')

    const firstData = requested.findIndex(({ isCode }) => !isCode)
    expect(firstData).toBeGreaterThan(0)
    expect(codeIn(requested.slice(firstData))).toEqual([])
    const html = (await reply?.text()) ?? ''
    expect(codeIn(requested).filter((path) => !html.includes(path))).toEqual([])
  })
}

test('a menu entry preloads its tab on hover or focus: the click needs only data', async ({ page, guest }) => {
  const idle = page.waitForRequest(/\/sign-in-dialog-[^/]*\.js$/)
  await signIn(page, guest)
  // Once it is idle, a page loads the code of its dialogs.
  await idle
  await quiet(page)
  // The roadmap has no entry of its own.
  const [, ...others] = tabs.filter(({ name }) => name !== 'roadmap')
  for (const [index, { name }] of others.entries()) {
    const entry = page.getByRole('navigation').locator(`a[href$="tab=${name}"]`)
    const loading = record(page)
    if (index % 2 === 0) await entry.hover()
    else await entry.focus()
    await expect.poll(() => codeIn(loading).length).toBeGreaterThan(0)
    await quiet(page)

    const requested = record(page)
    await entry.click()
    await expect(page).toHaveURL(new RegExp(`tab=${name}$`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(codeIn(requested)).toEqual([])
  }
})
