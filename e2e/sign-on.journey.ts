import { at, expect, expectAddress, fillSignIn, signIn, test } from './support/journey.ts'

test('a first visit goes to the sign-in page and returns to the requested address, without the ticket', async ({
  page,
  guest,
}) => {
  await page.goto(`${at.account}/account?tab=my-orders&page=1#end`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(page, guest)

  await page.waitForURL(`${at.account}/account?tab=my-orders**`)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
  await expect(page).not.toHaveURL(/ticket|signin/)
  await expect.poll(() => new URL(page.url()).hash).toBe('#end')
  const session = (await page.context().cookies()).find(({ name }) => name === 'atrium_session')
  expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
})

test('who chooses German on the sign-in page gets the account in German, at the requested tab', async ({
  page,
  guest,
}) => {
  await page.goto(`${at.account}/account?tab=my-orders#end`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await page.locator('summary', { hasText: 'English' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.getByRole('button', { name: 'Anmelden' })).toBeVisible()
  await fillSignIn(page, guest)

  await page.waitForURL(`${at.account}/de/account?tab=my-orders#end`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Meine Bestellungen/)
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.account}/de/account**`)
})

test('the language chosen on the page for a new account stays after Back and a new visit, and in the account', async ({
  page,
  guest,
}) => {
  await page.goto(`${at.account}/account?tab=my-orders`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.locator('summary', { hasText: 'English' }).click()
  await page.getByRole('link', { name: '日本語' }).click()
  await page.waitForURL(`${at.sso}/sign-up**`)
  await expect(page.locator('summary', { hasText: '日本語' })).toBeVisible()
  await page.goBack()
  await page.waitForURL(`${at.sso}/cas/login**`)
  await expect(page.locator('summary', { hasText: '日本語' })).toBeVisible()
  await page.goto(`${at.account}/account?tab=my-orders`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await expect(page.locator('summary', { hasText: '日本語' })).toBeVisible()
  await fillSignIn(page, guest)
  await page.waitForURL(`${at.account}/ja-jp/account?tab=my-orders`)
})

test('a wrong password shows a message and keeps the form’s values, and the right one then works', async ({
  page,
  guest,
}) => {
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(page, { ...guest, password: 'not-the-password' })

  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page.locator('input[type=email]')).toHaveValue(guest.email)
  await fillSignIn(page, guest)
  await page.waitForURL(`${at.account}/**`)
  await expect(page.getByRole('main')).toContainText(guest.email)
})

test('a forged ticket and a planted one are removed from the address, and do not sign in', async ({
  page,
  guest,
  browser,
}) => {
  await page.goto(`${at.account}/account?ticket=ST-forged&signin=AAAAAAAAAAAAAAAAAAAAAA`)
  await page.waitForURL(`${at.sso}/cas/login**`)

  // Another person's valid ticket, in the browser of a signed-in customer.
  const other = await browser.newContext()
  const request = await other.newPage()
  const service = `${at.account}/account?signin=AAAAAAAAAAAAAAAAAAAAAA`
  await request.route(`${at.account}/**`, (route) => route.abort())
  await request.goto(`${at.sso}/cas/login?service=${encodeURIComponent(service)}`)
  const returned = request.waitForRequest((sent) => sent.url().includes('ticket=ST-'))
  await fillSignIn(request, { email: 'ada@folio.test', password: 'Atrium-demo-1' })
  const planted = (await returned).url()
  await other.close()

  await signIn(page, guest)
  await page.goto(planted)
  await expect(page.getByRole('main')).toContainText(guest.email)
  await expect(page).not.toHaveURL(/ticket/)
})

test('a ticket works once: opening its address again does not sign in', async ({ page, guest, browser }) => {
  const seen: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('ticket=ST-')) seen.push(request.url())
  })
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(page, guest)
  await expect(page.getByRole('main')).toContainText(guest.email)
  expect(seen).toHaveLength(1)

  const other = await (await browser.newContext()).newPage()
  await other.goto(seen[0] ?? '')
  await expectAddress(other, `${at.sso}/cas/login`)
  await other.context().close()
})

test('sign-out ends both sides and lands on the vendor’s site', async ({ page, guest }) => {
  await signIn(page, guest)
  await page.getByRole('button', { name: /Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(`${at.sandbox}/site**`)

  // Also signed out at the single sign-on: it asks for the password.
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await expect(page.locator('input[type=email]')).toBeVisible()
})

test('sign-out in one tab hides the content of the others', async ({ page, guest, context }) => {
  await signIn(page, guest)
  const other = await context.newPage()
  await other.goto(`${at.account}/account`)
  await expect(other.getByRole('main')).toContainText(guest.email)

  await page.getByRole('button', { name: /Your account/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await expectAddress(other, `${at.sso}/cas/login`)
  await expect(other.locator('input[type=email]')).toBeVisible()
})

test('single logout: signing out at the single sign-on ends the session here', async ({ page, guest }) => {
  await signIn(page, guest)
  await page.request.get(`${at.sso}/cas/logout`)

  await expect.poll(async () => (await page.request.get(`${at.account}/account/session/`)).status()).toBe(401)
})

test('a session that ends during an edit: after a sign-in in the popup, the form keeps its values', async ({
  page,
  guest,
}) => {
  await signIn(page, guest)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Company').fill('Typed before the end')
  await page.context().clearCookies({ domain: 'localhost' })
  await dialog.getByRole('button', { name: 'Save' }).click()

  const signedOut = page.getByRole('dialog', { name: 'You’ve been signed out' })
  const opened = page.waitForEvent('popup')
  await signedOut.getByRole('button', { name: 'Sign in' }).click()
  const popup = await opened
  await popup.waitForURL(`${at.sso}/cas/login**`)
  expect(popup.viewportSize()).toEqual({ width: 650, height: 600 })
  await fillSignIn(popup, guest)

  await expect(page.getByText('Profile updated successfully.')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Typed before the end')
  expect(popup.isClosed()).toBe(true)
  await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused()
})

test('a customer who declines to sign in again sees the failure in place, and is not asked again', async ({
  page,
  guest,
}) => {
  await signIn(page, guest)
  await page.context().clearCookies({ domain: 'localhost' })
  await page.route('**/account/online-orders/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    await route.continue()
  })
  // The focus returns to the menu entry, which preloads its tab on focus.
  await page.getByRole('link', { name: 'My Orders' }).focus()
  await page.keyboard.press('Enter')
  const signedOut = page.getByRole('dialog', { name: 'You’ve been signed out' })
  await expect(signedOut).toBeVisible()
  await page.keyboard.press('Escape')

  await expect(page.getByText('You are signed out.')).toBeVisible()
  await page.getByRole('link', { name: 'My Orders' }).hover()
  await page.waitForTimeout(1500)
  await expect(signedOut).toHaveCount(0)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(signedOut).toBeVisible()
})

test('another person who signs in during an edit gets their own page', async ({ page, guest }) => {
  await signIn(page, guest)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Company').fill('Must not reach Noor')
  await page.context().clearCookies({ domain: 'localhost' })
  await dialog.getByRole('button', { name: 'Save' }).click()

  const opened = page.waitForEvent('popup')
  await page.getByRole('dialog', { name: 'You’ve been signed out' }).getByRole('button', { name: 'Sign in' }).click()
  const popup = await opened
  await popup.waitForURL(`${at.sso}/cas/login**`)
  await fillSignIn(popup, { email: 'noor@folio.test', password: 'Atrium-demo-1' })

  await expect(page.getByRole('status').filter({ hasText: 'Another account is now signed in.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reload now' })).toBeFocused()
  await expect(page.getByRole('main')).toContainText('noor@folio.test')
  await expect(page.getByRole('main')).not.toContainText('Must not reach Noor')
})

test('a stored return address never leads to another site', async ({ page, guest }) => {
  await page.goto(`${at.account}/account`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  // Session storage as a hostile script might have left it.
  await page.context().addInitScript(() => {
    if (location.pathname.endsWith('/account')) sessionStorage.setItem('atrium:return-to', '//evil.test/account')
  })
  await fillSignIn(page, guest)
  await expect(page.getByRole('main')).toContainText('+49 30 901820')
  await expect.poll(() => new URL(page.url()).origin).toBe(at.account)
})

test('values entered for one member are not saved to another who signed in in a second tab', async ({
  page,
  guest,
  context,
}) => {
  await signIn(page, guest)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Company').fill('Must not reach Noor')

  await context.clearCookies({ domain: 'localhost' })
  const second = await context.newPage()
  await signIn(second, { email: 'noor@folio.test', password: 'Atrium-demo-1' })
  await dialog.getByRole('button', { name: 'Save' }).click()

  await expect(page.getByRole('main')).toContainText('noor@folio.test')
  await second.reload()
  await expect(second.getByRole('main')).toContainText('noor@folio.test')
  await expect(second.getByRole('main')).not.toContainText('Must not reach Noor')
})
