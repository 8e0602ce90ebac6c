import type { Locator, Page } from '@playwright/test'
import { fillSignIn } from './journey.ts'
import { demo } from './lists.ts'

export const supportAgent = demo('sam.support')

/** The address was deleted in another tab meanwhile. */
export async function refusedForGood(page: Page): Promise<void> {
  await chosenLast(page)
  const body = { type: 'about:blank', title: 'not_found', status: 404, code: 'not_found', requestId: 'shot' }
  await page.route('**/account/billing-addresses/**', (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 404, contentType: 'application/problem+json', json: body })
      : route.continue(),
  )
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button').last().click()
  await page.waitForTimeout(300)
}

export async function click(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().click()
  await page.waitForTimeout(250)
}

/** Signs in with a provider as somebody who has no account with it. */
export async function newIdentity(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: /Microsoft/ }).click()
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=firstName]').fill('Grete')
  await page.locator('input[name=lastName]').fill('Neumann')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.locator('input[type=email]').waitFor()
}

/** Address of the keys of a license. */
export function keysOf(licenseId: string): string {
  return `/account?tab=device-management&method=keycode&licenseId=${licenseId}`
}

export async function openKey(page: Page, index: number): Promise<void> {
  await page.locator('main a[href*="code="]').nth(index).click()
  await page.waitForLoadState('networkidle')
}

/** Some of the addresses cannot be invited. */
export async function invitingOthers(page: Page): Promise<void> {
  await click(page, 'main header button')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox').fill('pia@folio.test, ada@folio.test')
  await dialog.locator('button[type=submit]').click()
  await page.waitForTimeout(800)
}

export async function removingUser(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /pia@folio/ })
    .first()
    .click()
  await page.waitForTimeout(400)
}

export async function invalidProfile(page: Page): Promise<void> {
  await click(page, 'main header button, main button')
  const inputs = page.getByRole('dialog').getByRole('textbox')
  await inputs.first().fill('')
  await inputs.nth(1).fill('x'.repeat(40))
  await page.getByRole('dialog').locator('button[type=submit]').click()
}

export async function invalidAddress(page: Page): Promise<void> {
  await click(page, 'main header button')
  await click(page, '[role=dialog] button[type=submit]')
}

/** A dialog whose code does not load. */
export async function missingCode(page: Page, how: 'fail' | 'hang'): Promise<void> {
  await page.route(/address-dialogs/, (route) => (how === 'fail' ? route.abort() : undefined))
  if (how === 'fail') await page.route('**/account?*', (route) => route.abort())
  await page.locator('main header button').first().dispatchEvent('click')
  await page.waitForTimeout(600)
}

/** The last item of a menu, which removes something. */
export async function chosenLast(page: Page): Promise<void> {
  await click(page, 'main [aria-haspopup=menu]')
  await page.getByRole('menuitem').last().click()
  await page.waitForTimeout(250)
}

/** The provider's fields load later, in their own frame. */
export async function addingCard(page: Page): Promise<void> {
  await click(page, 'main header button')
  await page.locator('[role=dialog] button[type=submit]:enabled').waitFor()
}

/** With an answer of PayPal that does not come, or fails. */
export async function backFromPaypal(page: Page, how: 'fail' | 'hang'): Promise<void> {
  await page.route('**/account/paypal-add-license/**', (route) => (how === 'fail' ? route.abort() : undefined))
  await page.goto(`${page.url()}&stripe_subscription_id=I-BW452GLLEP1G`)
  await page.getByRole('main').getByText('PayPal').first().waitFor()
  await page.waitForTimeout(500)
}

/** Reloads a list whose rows have other values. */
export async function changed(page: Page, noun: string, values: object): Promise<void> {
  await page.route(`**/account/${noun}/**`, async (route) => {
    const reply = await route.fetch()
    const { list, ...others } = await reply.json()
    await route.fulfill({
      response: reply,
      // Other answers of the noun have no list.
      json: { ...others, ...(list && { list: list.map((row: object) => ({ ...row, ...values })) }) },
    })
  })
  await page.reload()
  await page.waitForLoadState('networkidle')
}

/** Reloads the page with requests that fail. */
export async function failing(page: Page, noun: string): Promise<void> {
  await page.route(`**/account/${noun}/**`, (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      body: '{"type":"about:blank","title":"Internal","status":500,"code":"internal","requestId":"0b6b2c1e-5a1f"}',
    }),
  )
  await page.reload()
  await page.waitForLoadState('networkidle')
}

export async function wrongPassword(page: Page): Promise<void> {
  await fillSignIn(page, { email: 'ada@folio.test', password: 'not the password' })
  await page.getByRole('alert').first().waitFor()
}

/** The dialog that turns off the first subscription that has an add-on. */
export async function turningOff(page: Page): Promise<void> {
  await page.getByRole('switch').first().dispatchEvent('click')
  await page.getByRole('dialog').getByRole('checkbox').first().waitFor()
  await page.waitForTimeout(250)
}

/** The same while its payment waits at PayPal. */
export async function turningOffUnconfirmed(page: Page): Promise<void> {
  await page.route('**/account/check-cancel-sr/', async (route) => {
    const reply = await route.fetch()
    const json = { ...(await reply.json()), charges: 'unconfirmed', list: [] }
    await route.fulfill({ response: reply, json })
  })
  await changed(page, 'subscription', { stripeSubscriptionStatus: 'pending', payType: 'paypal', userCount: 3 })
  await turningOff(page)
}

export async function wantingSeats(page: Page, seats: number): Promise<void> {
  await page.getByRole('dialog').getByRole('textbox').first().fill(String(seats))
  await page.waitForTimeout(1500)
}

export async function palette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k')
  const field = page.getByRole('dialog').getByRole('combobox')
  await field.click()
  await field.pressSequentially(text)
  await page.waitForTimeout(1500)
}

export async function pressedLast(buttons: Locator): Promise<void> {
  await buttons.last().click()
  await buttons.page().waitForTimeout(300)
}

/** The page's HTML alone, before its script is there. */
export async function unscripted(page: Page): Promise<void> {
  await page.route(/\/assets\/.*\.js/, (route) => route.abort())
  await page.reload()
  await page.locator('#first-paint h1').waitFor()
}

/** Reloads a page whose list takes long. */
export async function hanging(page: Page, noun: string): Promise<void> {
  await page.route(`**/account/${noun}/**`, () => undefined)
  await page.reload()
  await page.waitForTimeout(1500)
}

export const deviceMenu = (page: Page) => click(page, 'main [aria-haspopup=menu]')

export async function computerReleased(page: Page): Promise<void> {
  await page.route('**/account/computers/*/release/', async (route) => {
    const { devices } = await (await page.request.get(route.request().url().replace('release/', ''))).json()
    await route.fulfill({ json: { devices } })
  })
  await chosenLast(page)
  await page.getByRole('dialog').getByRole('button').last().click()
  await page.waitForTimeout(500)
}

export async function replacingCard(page: Page): Promise<void> {
  const cards = await (await page.request.get(new URL('/account/cards/', page.url()).href)).json()
  await page.goto(`${page.url()}&dialog=replace&card=${cards.cardList[0].id}`)
  await page.locator('[role=dialog] button[type=submit]:enabled').waitFor()
}

/** Support signs in for each account anew; a sign-in that opened none still counts. */
export async function enterSupport(page: Page): Promise<void> {
  if (page.url().includes('/cas/login')) await fillSignIn(page, supportAgent)
  await page.locator('form textarea').waitFor()
}

/** A support agent requests the account of a customer. */
export async function openedBySupport(page: Page, email: string): Promise<void> {
  await enterSupport(page)
  const fields = page.locator('form :is(input, textarea)')
  for (const [index, text] of [email, 'The last invoice is missing', 'T-4711'].entries()) {
    await fields.nth(index).fill(text)
  }
  await page.locator('form button[type=submit]').click()
  await page.waitForTimeout(1000)
  await page.waitForLoadState('networkidle')
}
