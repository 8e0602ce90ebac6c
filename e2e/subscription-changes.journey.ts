import deChanges from '@atrium/locales/de/subscription-changes.json' with { type: 'json' }
import deSubscriptions from '@atrium/locales/de/subscriptions.json' with { type: 'json' }
import { bankOf } from './support/card-fields.ts'
import { askAboutPayments, subscribe } from './support/cards.ts'
import {
  at,
  demoSubscription,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  shownSubscription,
  signIn,
  test,
} from './support/journey.ts'

const ada = { email: 'ada@folio.test', password: 'Atrium-demo-1' }

test('connectors need envelope sharing first, which is enabled for good; then they are bought up to the limit', async ({
  page,
}) => {
  await signIn(page, ada, '/account?tab=my-subscriptions')
  const row = page
    .locator('tbody tr')
    .filter({ hasText: shownSubscription('ada-esign') })
    .first()
  await row.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Buy connectors' }).click()
  const sharing = page.getByRole('dialog', { name: 'Enable envelope sharing' })
  await expect(sharing).toContainText(
    'Please enable envelope sharing before purchasing Folio eSign Business Connectors.',
  )
  for (const consequence of [
    'Existing individual accounts become trial accounts.',
    'Their documents are not migrated.',
    'This cannot be undone.',
  ])
    await expect(sharing).toContainText(consequence)
  await expectAccessible(page)
  await sharing.getByRole('textbox').fill('yes')
  await sharing.getByRole('button', { name: 'Enable for good' }).click()
  await expect(sharing).toContainText('Please type “Folio eSign Business”.')
  await sharing.getByRole('textbox').fill('folio esign business')
  await sharing.getByRole('button', { name: 'Enable for good' }).click()

  const connectors = page.getByRole('dialog', { name: 'Buy connectors for Folio eSign Business' })
  await expect(connectors).toContainText('You have 2. Up to 38 more.')
  await connectors.getByRole('textbox').fill('39')
  await expect(connectors).toContainText('Exceeds the maximum purchase quantity(40) for this product.')
  await expect(connectors.getByRole('textbox')).toHaveValue('38')
  await expect(connectors.getByRole('button', { name: /^Pay \$/ })).toBeEnabled()
  await expectAccessible(page)
  await connectors.getByRole('button', { name: 'Not now' }).click()
  await expect(connectors).toBeHidden()

  // An email's link opens a dialog; twelve months cost more than a year.
  await page.goto(`${at.account}/account?tab=my-subscriptions&dialog=annual&sid=${demoSubscription('ada-esign')}`)
  await expect(page.getByRole('dialog')).toContainText('You save $302.40 a year.')
  // Somebody else's looks like none.
  await page.goto(`${at.account}/account?tab=my-subscriptions&dialog=more&sid=${demoSubscription('grace-editor')}`)
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last()).toBeVisible()
})

test('whoever renews a prepaid term is shown the price, and until when it is paid then', async ({ page }) => {
  await signIn(page, ada, '/account?tab=my-subscriptions')
  const row = page
    .locator('tbody tr')
    .filter({ hasText: shownSubscription('ada-mac') })
    .first()
  await row.getByRole('button', { name: /^More actions/ }).click()
  await page.getByRole('menuitem', { name: 'Renew' }).click()
  const dialog = page.getByRole('dialog', { name: 'Renew Folio PDF Editor for Mac' })
  await expect(dialog).toContainText(/Paid until .+\s20\d\d/)
  await expect(dialog).toContainText('It ends then, and does not renew by itself.')
  await expectAccessible(page)
  await expect(dialog.getByRole('button', { name: 'Pay $238.00' })).toBeEnabled()
  await dialog.getByRole('button', { name: 'Not now' }).click()
  await expect(dialog).toBeHidden()
})

test('a page that is reloaded while a payment runs shows how it ended, not another one to pay', async ({ page }) => {
  const sid = demoSubscription('ada-assistant')
  await signIn(page, ada, `/account?tab=my-subscriptions&dialog=more&sid=${sid}`)
  const dialog = page.getByRole('dialog', { name: 'Add seats to Folio AI Assistant' })
  await dialog.getByRole('textbox').first().fill('2')
  await expect(dialog).toContainText('Monthly · 5 seats')
  const pay = dialog.getByRole('button', { name: /^Pay / })
  await expect(pay).toBeEnabled()
  const amount = ((await pay.textContent()) ?? '').replace('Pay ', '')
  // It reaches the server, and the answer is lost with the page.
  const isCharged = new Promise<void>((charged) => {
    void page.route(
      '**/account/change-plan/',
      async (route) => {
        await route.fetch()
        charged()
      },
      { times: 1 },
    )
  })
  await pay.click()
  await isCharged
  await page.reload()
  const done = page.getByRole('dialog', { name: 'Purchased Successfully!' })
  await expect(done).toContainText(`${amount} was charged`)
  await done.getByRole('button', { name: 'Close' }).last().click()
  await expect(
    page
      .locator('tbody tr')
      .filter({ hasText: shownSubscription('ada-assistant') })
      .first(),
  ).toContainText('1 / 5')
})

test('on a phone and in German a plan is upgraded, then billed by the year; what the bank asks is continued later', async ({
  page,
  guest,
}) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await subscribe(guest.email, 'fpepi-monthly-usd')
  await signIn(page, guest, '/de/account?tab=my-subscriptions')
  const card = page.getByRole('main').getByRole('listitem')
  await expect(async () => {
    await page.reload()
    await expect(card).toHaveCount(1, { timeout: 5000 })
  }).toPass()

  for (const change of ['upgrade', 'annual'] as const) {
    await card
      .getByRole('button', { name: /Folio PDF Editor/ })
      .last()
      .click()
    await page.getByRole('menuitem', { name: deSubscriptions.changes[change] }).click()
    const dialog = page.getByRole('dialog')
    const pay = dialog.getByRole('button', { name: new RegExp(deChanges.change.pay.replace('{{amount}}', '.+')) })
    await expect(pay).toBeEnabled()
    await expectAccessible(page)
    const amount = ((await pay.textContent()) ?? '').replace(deChanges.change.pay.replace('{{amount}}', ''), '').trim()
    await pay.click()
    const done = page.getByRole('dialog', { name: deChanges.change.done.upgraded })
    await expect(done).toContainText(amount)
    await expectNoSidewaysScroll(page)
    await done.getByRole('button').last().click()
  }
  await expect(card).toContainText('Folio PDF Editor+ Business')
  await expect(card).toContainText(deSubscriptions.terms.yearly)

  // The bank's question is left open, and comes first when the next change is begun.
  const sid = await askAboutPayments(guest.email)
  await page.goto(`${at.account}/de/account?tab=my-subscriptions&dialog=more&sid=${sid}`)
  const dialog = page.getByRole('dialog').first()
  const { approve } = bankOf(page, 'Authentifizierung durch Ihre Bank')
  await dialog.getByRole('button', { name: new RegExp(deChanges.change.pay.replace('{{amount}}', '.+')) }).click()
  await expect(approve).toBeVisible()
  await page.reload()
  await expect(dialog).toContainText(deChanges.change.unpaid)
  // Two long buttons stand in the notice behind it.
  const drop = page.locator('main button').filter({ hasText: deSubscriptions.openChange.drop })
  await expect(drop).toBeAttached()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: deChanges.change.continuePayment }).click()
  await approve.click()
  await expect(page.getByRole('dialog', { name: deChanges.change.done.purchased })).toBeVisible()
  await expect(card).toContainText('/ 3')

  // The next one is dropped, and the page says so.
  await page.goto(`${at.account}/de/account?tab=my-subscriptions&dialog=more&sid=${sid}`)
  await dialog.getByRole('button', { name: new RegExp(deChanges.change.pay.replace('{{amount}}', '.+')) }).click()
  await expect(approve).toBeVisible()
  await page.goto(`${at.account}/de/account?tab=my-subscriptions`)
  await drop.click()
  const notMade = deSubscriptions.due.notMade.replace('{{product}}', 'Folio PDF Editor+ Business')
  await expect(page.getByRole('status').filter({ hasText: notMade })).toBeVisible()
  await expect(drop).toHaveCount(0)
})
