import deTransfers from '@atrium/locales/de/transfers.json' with { type: 'json' }
import type { Locator, Page, Route } from '@playwright/test'
import { putOnFile, subscribe } from './support/cards.ts'
import { type Guest, newGuest } from './support/guests.ts'
import {
  emailTo,
  expect,
  expectAccessible,
  expectAccessibleInBoth,
  expectNoSidewaysScroll,
  signIn,
  test,
} from './support/journey.ts'
import { query, rows } from './support/lists.ts'

const mine = '/account?tab=my-subscriptions'

/** The code in the newest of these emails. */
async function codeTo(page: Page, { email }: Guest, subject: RegExp): Promise<string> {
  const { text } = await emailTo(page, email, subject)
  return /^\d{6}$/m.exec(text)?.[0] ?? ''
}

const field = (dialog: Locator, name: string) => dialog.getByRole('textbox', { name: new RegExp(`^${name}`) })

/** Waits for what was bought at the provider, and opens the dialog. */
async function openTransfer(page: Page): Promise<Locator> {
  await expect(async () => {
    await page.reload()
    await expect(page.getByRole('button', { name: 'Transfer Subscriptions' })).toBeVisible({ timeout: 5000 })
  }).toPass()
  await page.getByRole('button', { name: 'Transfer Subscriptions' }).click()
  return page.getByRole('dialog', { name: 'Transfer Subscriptions' })
}

test('two people transfer subscriptions with a code from each mailbox', async ({ page, guest, browser }) => {
  const recipient = await newGuest()
  await putOnFile(recipient.email)
  const theirs = await (await browser.newContext()).newPage()
  await signIn(theirs, recipient, mine)
  await expect(theirs.getByRole('button', { name: 'Transfer Subscriptions' })).toHaveCount(0)
  await subscribe(guest.email, 'fpepb-monthly-usd')
  await signIn(page, guest, mine)
  const dialog = await openTransfer(page)
  await expect.poll(() => query(page)).toMatchObject({ tab: 'my-subscriptions', dialog: 'transfer' })
  await expect(dialog).toContainText('Folio PDF Editor+ Business2 seats')
  await expect(dialog).toContainText('Payment methods, billing addresses, past orders and invoices')
  await expect(field(dialog, 'Current account')).toHaveValue(guest.email)

  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
  await expect(dialog).toContainText('Please enter recipient account')
  await expect(dialog).toContainText('Please enter verification code for current account')
  await expect(dialog).toContainText('Please enter verification code for recipient account')
  await expectAccessibleInBoth(page)
  await field(dialog, 'Recipient account').fill('gesa at home')
  await dialog.getByRole('button', { name: 'Send codes' }).click()
  await expect(dialog).toContainText('Please enter a valid email address.')
  for (const email of [guest.email, 'ada@folio.test', 'nobody@folio.test']) {
    await field(dialog, 'Recipient account').fill(email)
    await dialog.getByRole('button', { name: 'Send codes' }).click()
    await expect(dialog).toContainText('Transfer is not allowed to this account.')
  }

  await field(dialog, 'Recipient account').fill(recipient.email)
  const problem = { type: 'about:blank', title: '', status: 500, code: 'internal', requestId: 'r-1' }
  const fail = (route: Route) => route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem })
  await page.route('**/account/transfer-email-code/', fail, { times: 1 })
  await dialog.getByRole('button', { name: 'Send codes' }).click()
  await expect(dialog).toContainText('Error sending verification code')
  await dialog.getByRole('button', { name: 'Send codes' }).click()
  await expect(dialog.getByRole('button', { name: /^Resend (30|29|28)s$/ })).toBeDisabled()
  await expect(dialog.getByRole('status')).toContainText(`${guest.email} and another one to ${recipient.email}`)
  await expect(field(dialog, 'Verification code for current account')).toBeFocused()
  const asked = await emailTo(page, recipient.email, /wants to transfer subscriptions to you/)
  expect(asked.text).toMatch(/2 seats · Monthly\nOn .+, \$29\.98 plus any tax will be charged to Visa ••••.4242\./)
  const codes = {
    current: await codeTo(page, guest, /^Your code for a transfer/),
    recipient: await codeTo(page, recipient, /wants to transfer/),
  }
  await field(dialog, 'Verification code for current account').fill(codes.recipient)
  await field(dialog, 'Verification code for recipient account').fill(codes.current)
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
  await expect(dialog.getByText('This code is not right. Please check the newest email.')).toHaveCount(2)
  await field(dialog, 'Verification code for current account').fill(codes.current)
  await field(dialog, 'Verification code for recipient account').fill(codes.recipient)
  await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()

  const done = page.getByRole('dialog', { name: 'Subscriptions transferred' })
  await expect(done).toContainText(`These subscriptions now belong to ${recipient.email}.`)
  await expect(done).toContainText('What is left in your account')
  await expectAccessible(page)
  await done.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('main')).toContainText('No subscriptions.')
  await expect(page.getByRole('button', { name: 'Transfer Subscriptions' })).toHaveCount(0)

  await theirs.reload()
  await expect(rows(theirs).nth(1)).toContainText('Folio PDF Editor+ Business')
  await expect(rows(theirs).nth(1)).toContainText('Owner')
  await expect(rows(theirs).nth(1)).toContainText('Renews on')
  await emailTo(page, guest.email, /^Your subscriptions were transferred to/)
  await emailTo(page, recipient.email, /^Subscriptions were transferred to you$/)
})

test('codes that were used elsewhere are void; new ones begin with empty fields, and a reload shows how the transfer ended', async ({
  page,
  guest,
}) => {
  const recipient = await newGuest()
  await subscribe(guest.email, 'fpepb-monthly-usd')
  await signIn(page, guest, mine)
  const dialog = await openTransfer(page)
  const [current, theirs] = [field(dialog, 'Verification code for current'), field(dialog, 'Verification code for rec')]
  const transfer = dialog.getByRole('button', { name: 'Transfer', exact: true })
  await field(dialog, 'Recipient account').fill(recipient.email)
  await current.fill('111111')
  await theirs.fill('222222')
  await transfer.click()
  await expect(dialog.getByRole('alert')).toContainText('The codes are no longer valid. Please send new ones.')

  await dialog.getByRole('button', { name: 'Send codes' }).click()
  await expect(dialog.getByRole('status')).toContainText('We sent a code to')
  await expect(dialog.getByRole('alert')).toHaveCount(0)
  await expect(current).toHaveValue('')
  await expect(theirs).toHaveValue('')

  await current.fill(await codeTo(page, guest, /^Your code for a transfer/))
  await theirs.fill(await codeTo(page, recipient, /wants to transfer/))
  const other = await page.context().newPage()
  await other.goto(page.url())
  const stale = other.getByRole('dialog')
  await expect(field(stale, 'Recipient account')).toBeVisible()
  const made = new Promise<void>((resolve) => {
    void page.route(
      '**/account/subscription-transfer/',
      async (route) => {
        await route.fetch()
        // The page is gone before the answer.
        resolve()
      },
      { times: 1 },
    )
  })
  await transfer.click()
  await made
  await page.reload()
  const done = page.getByRole('dialog', { name: 'Subscriptions transferred' })
  await expect(done).toContainText(`These subscriptions now belong to ${recipient.email}.`)
  await page.reload()
  const nothing = 'You have no active online subscription that could be transferred.'
  await expect(page.getByRole('dialog')).toContainText(nothing)

  // A tab that does not know of it says so, too.
  await field(stale, 'Recipient account').fill(recipient.email)
  await field(stale, 'Verification code for current').fill('111111')
  await field(stale, 'Verification code for rec').fill('222222')
  await stale.getByRole('button', { name: 'Transfer', exact: true }).click()
  await expect(stale).toContainText(nothing)
})

test('on a phone in German, the form says what is missing and fits', async ({ page, guest }) => {
  await page.setViewportSize({ width: 375, height: 812 })
  await subscribe(guest.email, 'fpepb-monthly-usd')
  await signIn(page, guest, `/de${mine}`)
  await expect(async () => {
    await page.goto(page.url().replace(/&dialog=transfer|$/, '&dialog=transfer'))
    await expect(page.getByRole('dialog').getByText(deTransfers.moves)).toBeVisible({ timeout: 5000 })
  }).toPass()
  const dialog = page.getByRole('dialog', { name: deTransfers.title })
  await dialog.getByRole('button', { name: deTransfers.submit, exact: true }).click()
  await expect(dialog).toContainText('Bitte geben Sie das Empfängerkonto ein.')
  await expect(field(dialog, deTransfers.recipientAccount)).toBeFocused()
  await expectAccessible(page)
  await expectNoSidewaysScroll(page)
})
