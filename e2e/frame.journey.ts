import { locales } from '@atrium/contract/locale.ts'
import { at, expect, expectAccessibleInBoth, expectNoSidewaysScroll, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

const ada = { email: 'ada@folio.test', password: 'Atrium-demo-1' }

test('every tab opens by its name in any case; groups open their first tab; unknown names open the profile', async ({
  page,
  reader,
}) => {
  await signIn(page, reader)
  for (const [spelling, title] of [
    ['profile', 'Profile'],
    ['security-settings', 'Security Settings'],
    ['Security%20Settings', 'Security Settings'],
    ['SECURITY_SETTINGS', 'Security Settings'],
    ['my-orders', 'My Orders'],
    ['MyOrders', 'My Orders'],
    ['account', 'Profile'],
    ['unknown', 'Profile'],
    ['%3Cscript%3E', 'Profile'],
    ['', 'Profile'],
  ] as const) {
    await page.goto(`${at.account}/account?tab=${spelling}`)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
  }
})

for (const [tab, path] of [
  ['feedback', '/support/feedback'],
  ['view-tickets', '/support/tickets'],
  ['support', '/support/feedback'],
] as const) {
  test(`${tab} links to the support site`, async ({ page, reader }) => {
    await signIn(page, reader)
    await page.goto(`${at.account}/account?tab=${tab}`)
    await page.waitForURL(`${at.sandbox}${path}**`)
  })
}

test('the menu switches tabs without reloading the page, and uses canonical names', async ({ page, reader }) => {
  await signIn(page, reader)
  await page.evaluate(() => Reflect.set(window, 'mark', true))
  await page.getByRole('navigation', { name: 'Account menu' }).getByRole('link', { name: 'Security Settings' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Security Settings')
  await expect.poll(() => new URL(page.url()).searchParams.get('tab')).toBe('security-settings')
  expect(await page.evaluate(() => Reflect.get(window, 'mark'))).toBe(true)
  await expect(page.getByRole('link', { name: 'Security Settings' })).toHaveAttribute('aria-current', 'page')
})

test('on a phone the menu is a drawer; on a tablet it is icons that can be expanded', async ({
  ownPage: page,
  reader,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn(page, reader)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'My Orders' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.setViewportSize({ width: 1000, height: 800 })
  await page.getByRole('button', { name: 'Expand menu' }).click()
  await expect(page.getByRole('navigation', { name: 'Account menu' }).getByText('Security Settings')).toBeVisible()

  // 000 §9: a phone is narrower than 900 pixels, a desktop has 1200.
  for (const [width, button] of [
    [899, 'Open menu'],
    [900, /^(Expand|Collapse) menu$/],
    [1199, /^(Expand|Collapse) menu$/],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect(page.getByRole('button', { name: button })).toBeVisible()
  }
  await page.setViewportSize({ width: 1200, height: 800 })
  await expect(page.getByRole('button', { name: /(Open|Expand|Collapse) menu/ })).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Account menu' }).getByText('Security Settings')).toBeVisible()
})

for (const { code, prefix } of locales) {
  test(`${code}: the account area uses it, at its address, and remembers it`, async ({ page, reader }) => {
    const path = prefix ? `/${prefix}/account` : '/account'
    await signIn(page, reader, path)
    await expect(page.locator('html')).toHaveAttribute('lang', Intl.getCanonicalLocales(code)[0] ?? '')
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
    const heading = await page.getByRole('heading', { level: 1 }).textContent()
    if (prefix) expect(heading).not.toBe('Profile')
    await expect(page.getByRole('main')).toContainText(new Intl.DisplayNames([code], { type: 'region' }).of('DE') ?? '')
    // A missing text would show its key.
    const words = (await page.locator('body').innerText()).split(/\s+/)
    expect(words.filter((word) => /^[a-z]+(\.[a-zA-Z]+)+$/.test(word))).toEqual([])

    await page.goto(`${at.account}/account?tab=security-settings`)
    await expect.poll(() => new URL(page.url()).pathname).toBe(path)
  })
}

test('the language menu changes the language and stays on the tab', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-orders&page=2')
  await page.getByRole('button', { name: /Language/ }).click()
  await page
    .getByRole('menuitem', { name: /Deutsch/ })
    .or(page.getByRole('menuitemradio', { name: /Deutsch/ }))
    .click()
  await page.waitForURL(`${at.account}/de/account?**`)
  await expect.poll(() => new URL(page.url()).searchParams.get('page')).toBe('2')
  const cookie = (await page.context().cookies()).find(({ name }) => name === 'atrium_locale')
  expect(cookie?.value).toBe('de-de')
  expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(31_000_000)
})

const widths = [375, 1000, 1400]

for (const { tab, button } of [
  { tab: 'profile', button: 'Edit Profile' },
  { tab: 'security-settings', button: /Access Duration/ },
  { tab: 'my-orders', button: undefined },
]) {
  test(`${tab}: no accessibility violation at any width, nothing wider than the page`, async ({ page }) => {
    await signIn(page, ada, `/account?tab=${tab}`)
    await page.waitForLoadState('networkidle')
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessibleInBoth(page)
      await expectNoSidewaysScroll(page)
    }
    if (!button) return
    await page.getByRole('button', { name: button }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      await expectAccessibleInBoth(page)
    }
  })
}

test('the color scheme can be chosen, and is remembered', async ({ ownPage: page, guest }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signIn(page, guest)
  await page.getByRole('button', { name: 'Color scheme' }).click()
  await page
    .getByRole('menuitem', { name: 'Dark' })
    .or(page.getByRole('menuitemradio', { name: 'Dark' }))
    .click()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})

test('no request comes before the first one for content', async ({ page, reader }) => {
  await signIn(page, reader)
  // Requests of the previous page do not count.
  await page.goto('about:blank')
  const requested: string[] = []
  page.on('request', (request) => {
    if (['fetch', 'xhr'].includes(request.resourceType())) requested.push(new URL(request.url()).pathname)
  })
  await page.goto(`${at.account}/account`)
  await expect(page.getByRole('main')).toContainText(reader.email)
  expect(requested[0]).toBe('/account/profile/')
})

test('dictionaries load once, after the content, and a failure is not shown yet', async ({ page, reader }) => {
  await signIn(page, reader)
  await page.goto('about:blank')
  await page.route('**/account/dictionaries/**', (route) => route.abort())
  const requested: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') requested.push(new URL(request.url()).pathname)
  })
  await page.goto(`${at.account}/account`)
  await expect(page.getByRole('main')).toContainText(reader.email)
  await expect.poll(() => requested.includes('/account/dictionaries/')).toBe(true)
  expect(requested.indexOf('/account/dictionaries/')).toBeGreaterThan(requested.indexOf('/account/profile/'))
  await expect(page.getByRole('alert')).toHaveCount(0)
})

test('a header menu opens and closes by keyboard and pointer, and returns the focus to its button', async ({
  page,
  reader,
}) => {
  await signIn(page, reader)
  const button = page.getByRole('button', { name: 'Color scheme' })
  const menu = page.getByRole('menu')
  await button.focus()
  await page.keyboard.press('Enter')
  await expect(menu).toBeVisible()
  await expect(button).toHaveAttribute('aria-expanded', 'true')
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(menu.getByRole('menuitem').nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(button).toBeFocused()

  await button.click()
  await expect(menu).toBeVisible()
  await button.click()
  await expect(menu).toHaveCount(0)

  await button.click()
  await expect(menu).toBeVisible()
  await page.getByRole('heading', { level: 1 }).click()
  await expect(menu).toHaveCount(0)
})

test('on a tablet, a menu icon has a tooltip', async ({ page, reader }) => {
  await page.setViewportSize({ width: 1000, height: 800 })
  await signIn(page, reader)
  const entry = page.getByRole('navigation').getByRole('link', { name: 'My Orders' })
  await entry.hover()
  await expect(page.getByRole('tooltip')).toHaveText('My Orders')
  await page.getByRole('heading', { level: 1 }).hover()
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})
