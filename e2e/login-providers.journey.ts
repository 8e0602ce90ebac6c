import type { Locator, Page } from '@playwright/test'
import { at, emailTo, expect, expectAccessibleInBoth, signIn, test } from './support/journey.ts'

/** Says who signs in at the stand-in of a provider, and allows what the application requests. */
async function answerAtProvider(page: Page, email: string) {
  await page.waitForURL(`${at.sandbox}/identity/**`)
  await page.locator('input[name=email]').fill(email)
  await page.locator('input[name=firstName]').fill('Grete')
  await page.locator('input[name=lastName]').fill('Neumann')
  const institution = page.getByRole('combobox', { name: 'Institution' })
  if ((await institution.count()) > 0) await institution.selectOption('Hochschule an der Elbe')
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Opens a popup of Security Settings, and authenticates again in it. */
async function proveIn(page: Page, { button, submit, password }: Record<'button' | 'submit' | 'password', string>) {
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: button, exact: true }).click()
  const popup = await opened
  await popup.locator('input[autocomplete=current-password]').fill(password)
  await popup.getByRole('button', { name: submit, exact: true }).click()
  return popup
}

/** The row of a provider among the linked accounts: the activity below names it too. */
const linkedRow = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Linked Accounts' }).getByRole('row').filter({ hasText: name })

/** Enters wrong codes until none is checked any more. */
async function guess({ page, code, goOn }: { page: Page; code: Locator; goOn: Locator }) {
  for (const wrong of ['000001', '000002', '000003', '000004', '000005']) {
    await code.fill(wrong)
    await goOn.click()
    await expect(page.getByText('This isn’t the code we sent.')).toBeVisible()
  }
  await code.fill('000006')
  await goOn.click()
  await expect(page.getByRole('alert')).toHaveText('This code no longer works. Send a new one.')
}

const newAddress = (name: string) => `${name}-${Date.now()}@folio.test`

test('a new customer signs in with a provider, confirms the address with a code, and lands where they wanted to, in German on a phone', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  const email = newAddress('neu')
  await page.goto(`${at.account}/de/account?tab=my-orders`)
  await page.waitForURL(`${at.sso}/cas/login**`)
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Weiter mit Microsoft' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('heading', { name: 'Sie sind nicht angemeldet' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Sie haben bei Microsoft abgebrochen.')
  // Another language, and a reload, still know why, and where the person came from.
  await page.goto(`${at.sso}/callback/microsoft?locale=fr-fr`)
  await expect(page.getByRole('alert')).toContainText('annulé')
  await page.goto(`${at.sso}/callback/microsoft?locale=de-de`)
  await page.reload()
  await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click()
  await page.getByRole('button', { name: 'Weiter mit Microsoft' }).click()
  await answerAtProvider(page, email)

  await page.waitForURL(`${at.sso}/callback/microsoft`)
  await expect(page.getByRole('heading', { name: 'E-Mail-Adresse bestätigen' })).toBeVisible()
  await expect(page.getByText(`Microsoft: ${email}.`)).toBeVisible()
  await expectAccessibleInBoth(page)
  // The wrong account at the provider.
  await page.getByRole('link', { name: 'Zurück zur Anmeldung' }).click()
  await page.getByRole('button', { name: 'Weiter mit Microsoft' }).click()
  await answerAtProvider(page, email)
  const ownAddress = newAddress('eigene')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(ownAddress)
  // A code from an earlier attempt: the sentence about it is over once a new one was sent.
  await page.getByLabel('Code', { exact: true }).fill('123456')
  await page.getByRole('button', { name: 'Weiter', exact: true }).click()
  await expect(page.getByRole('alert')).toHaveText('Dieser Code funktioniert nicht mehr. Senden Sie einen neuen.')
  await page.getByRole('button', { name: 'Code senden' }).click()
  const onItsWay = page.getByText('Der Code ist unterwegs.')
  await expect(onItsWay).toBeVisible()
  await expect(page.getByRole('alert')).toBeHidden()
  await expect(page.getByLabel('Code', { exact: true })).toHaveValue('')
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(email)
  await expect(onItsWay).toBeHidden()
  await page.getByRole('textbox', { name: 'E-Mail' }).fill(ownAddress)
  await expect(onItsWay).toBeVisible()
  const { text } = await emailTo(page, ownAddress, /Code/)
  // A phone unloads the page while the email is read; another language loads it again too.
  await page.goto(`${at.sso}/callback/microsoft?locale=fr-fr`)
  await expect(page.locator('input[type=email]')).toHaveValue(ownAddress)
  await page.goto(`${at.sso}/callback/microsoft?locale=de-de`)
  await page.reload()
  await expect(page.locator('input[type=email]')).toHaveValue(ownAddress)
  await expect(page.getByRole('button', { name: 'Neuen Code senden' })).toBeVisible()
  await page.getByRole('button', { name: 'Stattdessen ein Passwort verwenden' }).click()
  await page.reload()
  await expect(page.getByLabel('Passwort', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Stattdessen einen Code' }).click()
  await expect(page.getByRole('button', { name: 'Neuen Code senden' })).toBeVisible()
  await page.getByLabel('Code', { exact: true }).fill(/\b\d{6}\b/.exec(text)?.[0] ?? '')
  await page.getByRole('button', { name: 'Weiter', exact: true }).click()
  await page.waitForURL(`${at.account}/de/account?tab=my-orders**`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('a code that no longer works is not on its way, also after a reload', async ({ page }) => {
  await page.goto(`${at.account}/account?tab=my-orders`)
  await page.getByRole('button', { name: 'Continue with Microsoft' }).click()
  await answerAtProvider(page, newAddress('guessed'))
  await page.getByRole('button', { name: 'Send code' }).click()
  const onItsWay = page.getByText('The code is on its way.')
  await expect(onItsWay).toBeVisible()
  const code = page.getByLabel('Code', { exact: true })
  await guess({ page, code, goOn: page.getByRole('button', { name: 'Continue', exact: true }) })
  await page.reload()
  await expect(page.getByRole('button', { name: 'Send a new code' })).toBeVisible()
  await expect(onItsWay).toBeHidden()
})

test('providers are linked in the popup, and then sign in on the page', async ({ page, guest }) => {
  const providers = ['Education ID', 'Lenovo ID']
  const email = newAddress('linked')
  await signIn(page, guest, '/account?tab=security-settings')
  for (const name of providers) {
    const submit = `Continue to ${name}`
    const popup = await proveIn(page, { button: `Link ${name}`, submit, password: guest.password })
    await answerAtProvider(popup, email)
    await expect(page.getByText(`${name} is linked.`).first()).toBeVisible()
    await expect(linkedRow(page, name)).toContainText(email)
  }
  await expect(linkedRow(page, 'Education ID')).toContainText('Hochschule an der Elbe')
  await expectAccessibleInBoth(page)
  expect((await emailTo(page, guest.email, /Lenovo ID/)).text).toContain('linked')

  for (const name of providers) {
    await page.context().clearCookies()
    await page.goto(`${at.account}/account?tab=security-settings`)
    await page.getByRole('button', { name: `Continue with ${name}` }).click()
    await answerAtProvider(page, email)
    await page.waitForURL(`${at.account}/account?tab=security-settings`)
    await expect(page.getByRole('button', { name: `Unlink ${name}` })).toBeVisible()
  }
})

test('a popup knows of a code that was sent before a reload, and says no more of one that is spent', async ({
  page,
}) => {
  await page.goto(`${at.account}/account?tab=security-settings`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await answerAtProvider(page, newAddress('spent'))
  await page.waitForURL(`${at.account}/account?tab=security-settings`)
  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Link LinkedIn' }).click()
  const popup = await opened
  await popup.getByRole('button', { name: 'Send code' }).click()
  const onItsWay = popup.getByText('The code is on its way.')
  await expect(onItsWay).toBeVisible()
  await popup.reload()
  await expect(onItsWay).toBeVisible()
  await expect(popup.getByRole('button', { name: 'Send a new code' })).toBeVisible()

  const code = popup.getByLabel('Code', { exact: true })
  const goOn = popup.getByRole('button', { name: 'Continue to LinkedIn' })
  await guess({ page: popup, code, goOn })
  await code.fill('')
  await goOn.click()
  await expect(popup.getByText('Please enter the six digits from our email.')).toBeVisible()
  await expect(onItsWay).toBeHidden()
})

test('without a password, a popup asks for an emailed code, and a new one ends what was said of the old one', async ({
  page,
}) => {
  const email = newAddress('codes')
  await page.goto(`${at.account}/account?tab=security-settings`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await answerAtProvider(page, email)
  await page.waitForURL(`${at.account}/account?tab=security-settings`)

  const opened = page.waitForEvent('popup')
  await page.getByRole('button', { name: 'Link LinkedIn' }).click()
  const popup = await opened
  const code = popup.getByLabel('Code', { exact: true })
  const goOn = popup.getByRole('button', { name: 'Continue to LinkedIn' })
  const onItsWay = popup.getByText('The code is on its way.')
  await code.fill('123456')
  await goOn.click()
  await expect(popup.getByRole('alert')).toHaveText('This code no longer works. Send a new one.')
  await popup.getByRole('button', { name: 'Send code' }).click()
  await expect(onItsWay).toBeVisible()
  await expect(popup.getByRole('alert')).toBeHidden()
  await expect(code).toHaveValue('')

  await code.fill('000000')
  await goOn.click()
  await expect(popup.getByText('This isn’t the code we sent.')).toBeVisible()
  await popup.getByRole('button', { name: 'Send a new code' }).click()
  await expect(popup.getByRole('alert')).toContainText('Too many attempts.')
  const { text } = await emailTo(page, email, /code/)
  await code.fill(/\b\d{6}\b/.exec(text)?.[0] ?? '')
  await goOn.click()
  await answerAtProvider(popup, email)
  await expect(page.getByText('LinkedIn is linked.').first()).toBeVisible()
})

test('the popup says that linking was canceled or failed, or that the identity belongs to another account', async ({
  page,
  guest,
}) => {
  const email = newAddress('taken')
  await page.goto(`${at.sso}/cas/login`)
  await page.getByRole('button', { name: 'Continue with Google' }).click()
  await answerAtProvider(page, email)
  await page.waitForURL(`${at.account}/account**`)
  await page.context().clearCookies()

  await signIn(page, guest, '/account?tab=security-settings')
  const google = { button: 'Link Google', submit: 'Continue to Google', password: guest.password }
  const canceled = await proveIn(page, google)
  await canceled.getByRole('button', { name: 'Cancel' }).click()
  await expect(canceled.getByRole('heading', { name: 'Google wasn’t linked' })).toBeVisible()
  await expect(canceled.getByRole('alert')).toContainText('You canceled at Google, so nothing was changed.')
  await expectAccessibleInBoth(canceled)
  await canceled.getByRole('link', { name: 'Try again' }).click()
  await canceled.locator('input[autocomplete=current-password]').fill(guest.password)
  await canceled.getByRole('button', { name: google.submit }).click()
  await canceled.getByRole('button', { name: 'Fail with an error' }).click()
  await expect(canceled.getByRole('alert')).toHaveText(/^Google could not sign you in, so nothing was changed\./)
  await canceled.getByRole('button', { name: 'Close' }).click()

  const taken = await proveIn(page, google)
  await answerAtProvider(taken, email)
  await expect(taken.getByRole('alert')).toContainText(
    'This Google account is already linked to another Folio account.',
  )
})

test('in the login popup a provider signs in while something is typed; unlinking asks for the password', async ({
  page,
  guest,
}) => {
  const email = newAddress('linked')
  await signIn(page, guest, '/account?tab=security-settings')
  const linked = { button: 'Link Google', submit: 'Continue to Google', password: guest.password }
  await answerAtProvider(await proveIn(page, linked), email)
  await expect(page.getByText('Google is linked.').first()).toBeVisible()

  await page.goto(`${at.account}/account`)
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
  await dialog.getByLabel('Company').fill('Typed before the end')
  await page.context().clearCookies({ domain: 'localhost' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  const login = page.waitForEvent('popup')
  await page.getByRole('dialog', { name: 'You’ve been signed out' }).getByRole('button', { name: 'Sign in' }).click()
  const loginPopup = await login
  await loginPopup.getByRole('button', { name: 'Continue with Google' }).click()
  await answerAtProvider(loginPopup, email)
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main')).toContainText('Typed before the end')

  await page.goto(`${at.account}/account?tab=security-settings`)
  const row = linkedRow(page, 'Google')
  const unlinked = { button: 'Unlink Google', submit: 'Unlink Google' }
  const popup = await proveIn(page, { ...unlinked, password: 'not this one' })
  await expect(popup.getByText('This is not your current password.')).toBeVisible()
  await expect(popup.getByRole('main')).toContainText(`Google (${email})`)
  await expectAccessibleInBoth(popup)
  await popup.locator('input[autocomplete=current-password]').fill(guest.password)
  await popup.getByRole('button', { name: 'Unlink Google' }).click()
  await expect(page.getByText('Google is unlinked.').first()).toBeVisible()
  await expect(row).toContainText('Not linked')
})
