import jaRenewal from '@atrium/locales/ja-jp/auto-renewal.json' with { type: 'json' }
import jaSubscriptions from '@atrium/locales/ja-jp/subscriptions.json' with { type: 'json' }
import type { Page } from '@playwright/test'
import {
  at,
  demoSubscription,
  emailTo,
  expect,
  expectAccessible,
  shownSubscription,
  signIn,
  test,
} from './support/journey.ts'

const person = (name: string) => ({ email: `${name}@folio.test`, password: 'Atrium-demo-1' })

const rowOf = (page: Page, name: string) =>
  page
    .locator('tbody tr, main li')
    .filter({ hasText: shownSubscription(name) })
    .first()
const switchOf = (page: Page, name: string) => rowOf(page, name).getByRole('switch')

test('whoever wants to stop is told what stops, and can come back before the end', async ({ page }) => {
  await signIn(page, person('ada'), '/account?tab=my-subscriptions')
  await expect(rowOf(page, 'ada-esign')).toContainText('Renews on')
  await switchOf(page, 'ada-esign').press('Space')
  const dialog = page.getByRole('dialog', { name: 'Turn off auto-renewal of Folio eSign Business?' })
  for (const text of ['You won’t be charged again.', '2 connectors stop.', 'These add-ons stop too']) {
    await expect(dialog).toContainText(text)
  }
  await expectAccessible(page)

  await dialog.getByRole('button', { name: 'Turn off auto-renewal' }).click()
  await expect(dialog).toContainText('Please select a reason why you cancle your subscription.')
  await dialog.getByRole('checkbox', { name: 'Need to reduce expenses' }).check()
  await dialog.getByLabel('Anything else').fill('We will be back.')
  await page.route('**/account/subscription-cancel/', (route) => route.abort(), { times: 1 })
  await dialog.getByRole('button', { name: 'Turn off auto-renewal' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await expect(dialog.getByLabel('Anything else')).toHaveValue('We will be back.')

  await dialog.getByRole('button', { name: 'Turn off auto-renewal' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Auto-renewal is off.' })).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect.poll(() => new URL(page.url()).searchParams.has('dialog')).toBe(false)
  for (const name of ['ada-esign', 'ada-connector']) {
    await expect(rowOf(page, name)).toContainText('Expires on')
    await expect(switchOf(page, name)).not.toBeChecked()
  }

  await switchOf(page, 'ada-esign').press('Space')
  await expect(page.getByText('Auto-renewal resumed successfully')).toBeVisible()
  for (const name of ['ada-esign', 'ada-connector']) await expect(rowOf(page, name)).toContainText('Renews on')
  await expect(switchOf(page, 'ada-esign')).toBeFocused()

  // An email's link opens the dialog; what cannot be turned off says so.
  await page.goto(`${at.account}/account?tab=my-subscriptions&dialog=cancel&sid=${demoSubscription('ada-editor')}`)
  await expect(page.getByRole('dialog', { name: /Folio PDF Editor\+ Business/ })).toBeVisible()
  await page.goto(`${at.account}/account?tab=my-subscriptions&dialog=cancel&sid=${demoSubscription('ada-mac')}`)
  await expect(page.getByRole('dialog')).toContainText('cannot be turned off here')
  expect(await emailTo(page, 'ada@folio.test', /renewal/i)).toBeTruthy()
})

test('without a card auto-renewal stays off, and a dialog leads to where one is added', async ({ page }) => {
  await signIn(page, person('linus'), '/account?tab=my-subscriptions')
  const json = { type: 'about:blank', title: 'x', status: 409, code: 'card_required', requestId: 'r-1' }
  await page.route('**/account/subscription-renew/', (route) =>
    route.fulfill({ status: 409, contentType: 'application/problem+json', json }),
  )
  await page.route('**/account/cards/', (route) =>
    route.fulfill({ json: { cardList: [], defaultPaymentID: '', hasOtherDefault: 0 } }),
  )
  const toggle = page.getByRole('switch').and(page.locator(':not(:checked)')).first()
  await toggle.press('Space')
  const dialog = page.getByRole('dialog', { name: /^Auto-renewal of .* needs a card$/ })
  await expect(dialog).toContainText('There is no card on file to pay for the renewal.')
  await expect(dialog).toContainText(/You won’t be charged until \w+\s\d+,\s\d{4}\./)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(toggle).not.toBeChecked()
  await toggle.press('Space')
  await dialog.getByRole('link', { name: 'Add a card' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Payment Option Management')
  const form = page.getByRole('dialog', { name: 'Add Credit Card' })
  await form.getByRole('button', { name: 'Cancel' }).click()
  await expect(form).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Payment Option Management')
})

test('a subscription of PayPal is turned off and on, on a phone and in Japanese', async ({ page }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await signIn(page, person('yuki'), '/ja-jp/account?tab=my-subscriptions')
  const toggle = switchOf(page, 'yuki-cloud')
  await toggle.press('Space')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox').nth(5).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: jaRenewal.cancel.confirm }).click()
  await expect(dialog).toBeHidden()
  await expect(toggle).not.toBeChecked()

  await toggle.press('Space')
  await expect(page.getByText(jaSubscriptions.autoRenewal.resumed)).toBeVisible()
  await expect(toggle).toBeChecked()
})
