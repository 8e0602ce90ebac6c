import { addresses, box, openAdd } from './support/addresses.ts'
import { choose, expect, expectAccessible, goBack, signIn, test } from './support/journey.ts'
import { demo } from './support/lists.ts'

test('a dialog that cannot load offline says so, leaves the page intact, and loads when online', async ({
  page,
  context,
  guest,
}) => {
  await signIn(page, guest, addresses)
  const opener = page.getByRole('button', { name: 'Add Address' })
  await expect(opener).toBeVisible()
  await context.setOffline(true)
  await opener.click()
  const missing = page.getByRole('dialog', { name: 'We cannot reach our servers.' })
  await expect(missing).toBeVisible()
  await expectAccessible(page)
  await missing.getByRole('button', { name: 'Close' }).click()
  await expect(missing).toHaveCount(0)
  await expect(opener).toBeFocused()
  await expect(page.getByText('No billing addresses yet.')).toBeVisible()

  await opener.press('Enter')
  await expect(missing).toBeVisible()
  await goBack(page, 1)
  await expect(missing).toHaveCount(0)

  await opener.press('Enter')
  await missing.getByRole('button', { name: 'Try again' }).click()
  await expect(missing).toBeVisible()
  await context.setOffline(false)
  const dialog = page.getByRole('dialog', { name: 'Add Address' })
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(opener).toBeFocused()
})

test('a slow dialog shows that it is loading, and can be canceled', async ({ page, guest }) => {
  await signIn(page, guest, addresses)
  const answers = Promise.withResolvers<void>()
  await page.route(/address-dialogs/, async (route) => {
    await answers.promise
    await route.continue()
  })
  const opener = page.getByRole('button', { name: 'Add Address' })
  await opener.click()
  const loading = page.getByRole('status', { name: 'Loading' })
  await expect(loading).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(loading).toHaveCount(0)
  await opener.click()
  await expect(loading).toBeVisible()
  await goBack(page, 1)
  await expect(loading).toHaveCount(0)
  await expect(opener).toBeVisible()
  await opener.click()
  await expect(loading).toBeVisible()
  // A second press of the button does not cancel it; once it takes long, a press does.
  await opener.click({ force: true })
  await expect(loading).toBeVisible()
  await expect(async () => {
    await opener.click({ force: true })
    await expect(loading).toHaveCount(0, { timeout: 50 })
  }).toPass()
  await opener.click()
  answers.resolve()
  await expect(page.getByRole('dialog', { name: 'Add Address' })).toBeVisible()
  await expect(loading).toHaveCount(0)
})

test('a tab that cannot load offline says so, and loads by itself when online', async ({ page, context, guest }) => {
  await signIn(page, guest)
  await context.setOffline(true)
  await page.getByRole('link', { name: 'My Orders' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('alert')).toContainText('We cannot reach our servers.')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders')
  await context.setOffline(false)
  await expect(main.getByText('You haven’t bought anything in our store yet.')).toBeVisible()
  await expect(main.getByRole('alert')).toHaveCount(0)

  // Its code is there by now, its data are not.
  await context.setOffline(true)
  await page.getByRole('tab', { name: 'Offline Orders' }).click()
  await expect(main.getByRole('alert')).toContainText('We cannot reach our servers.')
  await context.setOffline(false)
  await expect(main.getByText('No orders. Click Get a Quote')).toBeVisible()
})

test('without a connection the page stands, and its first message comes when there is one again', async ({
  page,
  context,
}) => {
  await signIn(page, demo('kai'), '/account?tab=my-orders')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.getByRole('button', { name: /^Hide for seven days/ }).click()
  await expect(page.getByRole('button', { name: /^Hide for seven days/ })).toBeEnabled()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')

  await context.setOffline(false)
  await expect(page.getByRole('alert')).toContainText('We cannot reach our servers.')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Orders')
})

test('a page that Back restores is hidden until the server has said who is signed in', async ({
  page,
  context,
  guest,
}) => {
  await signIn(page, guest)
  const restore = () =>
    page.evaluate(() => {
      for (const name of ['pagehide', 'pageshow']) dispatchEvent(new PageTransitionEvent(name, { persisted: true }))
    })
  const answers = Promise.withResolvers<void>()
  await page.route('**/account/session/', async (route) => {
    await answers.promise
    await route.continue()
  })
  const title = page.getByRole('heading', { level: 1, includeHidden: true })
  await restore()
  await expect(title).toBeHidden()
  answers.resolve()
  await expect(title).toBeVisible()

  await context.clearCookies()
  await restore()
  await expect(title).toBeHidden()
  await page.waitForURL(/\/cas\/login/)
})

test('a message covers no control, and does not follow to the next tab', async ({ page, guest }) => {
  await signIn(page, guest)
  await page.getByRole('main').getByRole('button', { name: 'Edit' }).first().click()
  await page.getByRole('dialog').getByLabel('Company').fill('Guest Maps')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  const message = page.getByRole('status').filter({ hasText: /saved|updated/i })
  await expect(message).toBeVisible()
  await message.hover()
  for (const width of [1280, 1000, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    // The style sheet and the script follow a new width one after the other.
    await expect.poll(() => message.evaluate(controlsBelow)).toEqual([])
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.getByRole('link', { name: 'My Orders' }).click()
  await expect(message).toHaveCount(0, { timeout: 4000 })
})

test('on a phone the newest message takes the place of the one before', async ({ page, guest }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, guest)
  const message = page.getByRole('status').filter({ hasText: 'Profile updated successfully.' })
  for (const company of ['Guest Maps', 'Guest Charts']) {
    await page.getByRole('button', { name: 'Edit Profile' }).click()
    await page.getByRole('dialog').getByLabel('Company').fill(company)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(message.last()).toBeVisible()
  }
  await expect(message).toHaveCount(1, { timeout: 1000 })
})

/** The names of the page's controls that an element lies on. */
function controlsBelow(element: Element): string[] {
  const message = (element.closest('.mantine-Notification-root') ?? element).getBoundingClientRect()
  return [...document.querySelectorAll('#root :is(a, button, input, select)')]
    .filter((control) => {
      const { top, bottom, left, right, width } = control.getBoundingClientRect()
      const isApart = bottom <= message.top || top >= message.bottom || right <= message.left || left >= message.right
      return width > 1 && !isApart && !element.contains(control)
    })
    .map(({ outerHTML }) => outerHTML)
}

test('a customer who declines to sign in again keeps the form and its values, and is not asked twice', async ({
  page,
  context,
  guest,
}) => {
  await signIn(page, guest, addresses)
  const dialog = await openAdd(page)
  await box(dialog, 'Zip').fill('20354')
  await choose(page, 'State/Province', 'Hamburg')
  await context.clearCookies({ name: 'atrium_session' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  const signedOut = page.getByRole('dialog', { name: 'You’ve been signed out' })
  await expect(signedOut).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(signedOut).toHaveCount(0)
  await expect(dialog.getByRole('alert')).toContainText('You are signed out.')
  await page.waitForTimeout(500)
  await expect(signedOut).toHaveCount(0)
  await expect(box(dialog, 'Zip')).toHaveValue('20354')
})
