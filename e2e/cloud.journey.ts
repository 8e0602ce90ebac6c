import deProducts from '@atrium/locales/de/products.json' with { type: 'json' }
import type { Page } from '@playwright/test'
import { type Guest, newGuest } from './support/guests.ts'
import { importRecords } from './support/import.ts'
import {
  at,
  expect,
  expectAccessible,
  expectAccessibleInBoth,
  expectNoSidewaysScroll,
  fillSignIn,
  signIn,
  test,
} from './support/journey.ts'

const products = '/account?tab=my-products'
const { cloud: de } = deProducts

/** Folio Cloud for a guest, and a seat in each of the enterprises. */
async function newCloudCustomer({ email }: Guest, enterprises: readonly string[] = []) {
  const name = `CLOUD-${email.replaceAll(/\D/g, '')}`
  const facts = {
    ...{ type: 'subscription', email, productCode: 'FCL', status: 'given', userCount: 1, origin: 'given' },
    ...{ channel: 'invoice', periodStart: new Date(Date.now() - 86_400_000).toISOString() },
  }
  const codes = enterprises.map((_name, place) => `${name}-${place}`)
  await importRecords(name, [
    ...codes.map((orgCode, place) => ({ type: 'enterprise', orgCode, name: enterprises[place] })),
    { ...facts, subscriptionId: name },
    ...codes.map((orgCode) => ({ ...facts, productCode: 'FAC', subscriptionId: orgCode, orgCode })),
  ])
  return codes
}

/** The window that a click opens. */
async function opened(page: Page, click: () => Promise<void>): Promise<Page> {
  const [cloud] = await Promise.all([page.context().waitForEvent('page'), click()])
  await cloud.waitForURL(/\/cloud\//)
  return cloud
}

test('the first launch asks for the data region, on a phone and in German; later ones open at once', async ({
  page,
  guest,
}) => {
  await newCloudCustomer(guest)
  await page.setViewportSize({ width: 375, height: 800 })
  await signIn(page, guest, `/de${products}`)
  const open = page.getByRole('button', { name: 'Folio Cloud öffnen' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Folio Cloud öffnen' })
  await expect(dialog).toContainText(de.meaning.replace('{{product}}', 'Folio Cloud'))
  const go = dialog.getByRole('button', { name: 'Öffnen' })
  await expect(go).toBeDisabled()
  await expect(dialog.getByRole('group', { name: de.openFor })).toHaveCount(0)
  await dialog.getByRole('radio', { name: 'Europäische Union' }).check()
  await expectNoSidewaysScroll(page)
  await expectAccessibleInBoth(page)

  const cloud = await opened(page, () => go.click())
  await expect(cloud.getByRole('heading', { level: 1 })).toHaveText('Folio Cloud – European Union')
  await expect(cloud.getByText(`Welcome, ${guest.firstName} ${guest.lastName}.`)).toBeVisible()
  await expect(cloud.getByRole('main')).toContainText('yourself')
  await expect.poll(() => new URL(cloud.url()).searchParams.has('enterpriseId')).toBe(false)
  await cloud.reload()
  await expect(cloud.getByText('This address has been used or has expired.')).toBeVisible()
  await cloud.getByRole('link', { name: 'Back to my account' }).click()
  await expect(cloud.getByRole('heading', { level: 1 })).toContainText('Meine Produkte')
  await cloud.close()

  await expect(page.getByText('Datenregion: Europäische Union')).toBeVisible()
  const again = await opened(page, () => open.click())
  await expect(again.getByText(`Welcome, ${guest.firstName}`)).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await again.close()

  await page.context().clearCookies({ domain: 'localhost' })
  await open.click()
  const signedOut = page.getByRole('dialog', { name: 'Sie wurden abgemeldet' })
  await expect(signedOut).toBeVisible()
  const login = page.waitForEvent('popup')
  await signedOut.getByRole('button', { name: 'Anmelden' }).click()
  await fillSignIn(await login, guest)
  await expect(page.getByText('Klicken Sie noch einmal auf „Öffnen“.')).toBeVisible()
  await opened(page, () => open.click())
})

test('a launch asks for whom, and remembers it; of two windows that choose the region, the slower one hears which it is', async ({
  page,
  guest,
}) => {
  const [, northgate] = await newCloudCustomer(guest, ['Lindqvist Design Studio', 'Northgate Legal LLP'])
  await signIn(page, guest, products)
  const open = page.getByRole('button', { name: 'Open Folio Cloud' })
  await open.click()
  const dialog = page.getByRole('dialog', { name: 'Open Folio Cloud' })
  await dialog.getByRole('radio', { name: 'Australia' }).check()
  await dialog.getByRole('radio', { name: 'Northgate Legal LLP' }).check()
  const chosen = await page.request.post(`${at.account}/account/cloud/region/`, {
    headers: { origin: at.account },
    data: { region: 'ca' },
  })
  expect(chosen.status()).toBe(200)

  const go = dialog.getByRole('button', { name: 'Open', exact: true })
  const [closed] = await Promise.all([page.context().waitForEvent('page'), go.click()])
  await expect(dialog.getByRole('alert')).toContainText('Your data region is already chosen and cannot be changed.')
  await expect(dialog).toContainText('Data region: Canada')
  await expect.poll(() => closed.isClosed()).toBe(true)
  await expect(dialog.getByRole('radio', { name: 'Northgate Legal LLP' })).toBeChecked()
  await expectAccessible(page)

  const cloud = await opened(page, () => go.click())
  await expect(cloud.getByRole('heading', { level: 1 })).toHaveText('Folio Cloud – Canada')
  await expect(cloud.getByRole('main')).toContainText(`the enterprise ${northgate}`)
  await expect(dialog).toHaveCount(0)

  await open.click()
  await expect(dialog.getByRole('radio', { name: 'Northgate Legal LLP' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Personal use' }).check()
  const personal = await opened(page, () => go.click())
  await expect(personal.getByRole('main')).toContainText('yourself')
})

test('each region has a service of its own, which signs in', async ({ page }) => {
  // The journeys above open those in Europe and Canada.
  const names = { us: 'United States', au: 'Australia' }
  const post = (path: string, data: object) =>
    page.request.post(`${at.account}/account/cloud/${path}/`, { headers: { origin: at.account }, data })
  for (const [region, name] of Object.entries(names)) {
    const guest = await newGuest()
    await page.context().clearCookies()
    await signIn(page, guest)
    expect((await post('region', { region })).status()).toBe(200)
    const { url } = await (await post('login-ticket', { userTypeId: '0' })).json()
    await page.goto(url)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Folio Cloud – ${name}`)
    await expect(page.getByText(`Welcome, ${guest.firstName} ${guest.lastName}.`)).toBeVisible()
  }
})
