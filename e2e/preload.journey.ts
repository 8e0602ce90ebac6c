import { allTabs } from '@atrium/contract/tabs.ts'
import type { Page } from '@playwright/test'
import { at, expect, signIn, test } from './support/journey.ts'

const tabs = allTabs.filter(({ texts }) => texts.length > 0)

/** Paths of what the page asks for from now on: its code and texts, and its data. */
function record(page: Page) {
  const asked: { path: string; isCode: boolean }[] = []
  page.on('request', (request) => {
    const { pathname: path } = new URL(request.url())
    if (path.endsWith('.js') && path.startsWith('/account/assets/')) asked.push({ path, isCode: true })
    else if (request.resourceType() === 'fetch') asked.push({ path, isCode: false })
  })
  return asked
}

const codeIn = (asked: ReturnType<typeof record>) => asked.filter(({ isCode }) => isCode).map(({ path }) => path)

for (const { name } of tabs) {
  test(`${name}: opened first, its page names all code and texts, and none is asked for after the first data`, async ({
    page,
    guest,
  }) => {
    await signIn(page, guest)
    await page.goto('about:blank')
    // With a route in place nothing comes from the cache.
    await page.route('**/assets/**', (route) => route.continue())
    const asked = record(page)
    const reply = await page.goto(`${at.account}/account?tab=${name}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')

    const firstData = asked.findIndex(({ isCode }) => !isCode)
    expect(firstData).toBeGreaterThan(0)
    expect(codeIn(asked.slice(firstData))).toEqual([])
    const html = (await reply?.text()) ?? ''
    expect(codeIn(asked).filter((path) => !html.includes(path))).toEqual([])
  })
}

test('a menu entry that the pointer or the focus is on loads its tab: the click needs data alone', async ({
  page,
  guest,
}) => {
  await signIn(page, guest)
  const [, ...others] = tabs
  for (const [index, { name }] of others.entries()) {
    const entry = page.getByRole('navigation').locator(`a[href$="tab=${name}"]`)
    const loading = record(page)
    if (index % 2 === 0) await entry.hover()
    else await entry.focus()
    await expect.poll(() => codeIn(loading).length).toBeGreaterThan(0)
    await page.waitForLoadState('networkidle')

    const asked = record(page)
    await entry.click()
    await expect(page).toHaveURL(new RegExp(`tab=${name}$`))
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(codeIn(asked)).toEqual([])
  }
})
