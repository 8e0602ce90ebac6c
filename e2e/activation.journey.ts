import { randomBytes } from 'node:crypto'
import { desktopProduct, newMac, product } from './support/desktop-product.ts'
import type { Guest } from './support/guests.ts'
import { importRecords } from './support/import.ts'
import { at, expect, expectAccessibleInBoth, signIn, test } from './support/journey.ts'

const created = '2026-05-01T10:00:00Z'

/** A license with one seat and a key, whose Holder is a guest. */
async function license(guest: Guest) {
  const id = `E2E-${guest.email.replaceAll(/\D/g, '')}`
  const key = `65410-0010${randomBytes(7).toString('hex').toUpperCase()}`
  await importRecords(id, [
    {
      type: 'license',
      licenseId: id,
      productCode: 'FPETW',
      seats: 1,
      expirationDate: 0,
      created,
      activationMethod: 'keycode',
    },
    { type: 'license-contact', licenseId: id, email: guest.email, relationship: 'Holder' },
    { type: 'license-key', key, licenseId: id },
  ])
  return { id, key }
}

test('a device that the page deactivates is refused by the activation service, and its seat is free', async ({
  page,
  guest,
}) => {
  const { id, key } = await license(guest)
  const mac = newMac()
  const device = { method: 'keycode', sn: key, macAddress: mac, pcName: 'LOST-LAPTOP', appVersion: '13.1.0' }
  const { activationId } = await product(page, 'activate', device)
  expect(await product(page, 'validate', { activationId, mac })).toMatchObject({ status: 200, state: 'active' })
  const other = { ...device, macAddress: newMac(), pcName: 'NEW-LAPTOP' }
  expect(await product(page, 'activate', other)).toMatchObject({ status: 409, code: 'no_activations_left' })

  await signIn(page, guest, `/account?tab=device-management&method=keycode&licenseId=${id}`)
  await page.getByRole('link', { name: /^All Devices/ }).click()
  await page.getByRole('button', { name: 'Deactivate LOST-LAPTOP' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('The device deactivated successfully.')).toBeVisible()

  expect(await product(page, 'validate', { activationId, mac })).toMatchObject({ status: 200, state: 'deactivated' })
  expect(await product(page, 'activate', device)).toMatchObject({ status: 200, activeDevices: 1 })
})

test('a device is activated by signing in, appears in the page, and is refused once it is deactivated there', async ({
  page,
  guest,
}) => {
  const subscriptionId = `E2E-${guest.email.replaceAll(/\D/g, '')}`
  const subscription = { subscriptionId, email: guest.email }
  await importRecords(subscriptionId, [
    {
      ...{ type: 'subscription', ...subscription, productCode: 'FPEPB', status: 'active', userCount: 1 },
      ...{ origin: 'online', channel: 'card', autoRenewal: true, periodStart: created },
    },
    { type: 'seat', ...subscription, seatType: 2, status: 'Accepted', isUse: true, invited: created },
  ])
  await signIn(page, guest)

  await using desktop = await desktopProduct()
  await page.goto(`${at.sso}/cas/login?service=${encodeURIComponent(desktop.service)}`)
  await expect(page.getByText(new URL(desktop.service).host)).toBeVisible()
  expect(desktop.ticket()).toBe('')
  await expectAccessibleInBoth(page)
  await page.getByRole('button', { name: 'Sign in to the program' }).click()
  await expect(page.getByText('You may close this window.')).toBeVisible()
  const mac = newMac()
  const device = {
    method: 'email',
    ticket: desktop.ticket(),
    service: desktop.service,
    appCode: 'FPEPB',
    hostName: 'TRAVEL-BOOK',
    mac,
    appName: 'Folio PDF Editor+',
    appVersion: '14.0.1',
  }
  const { activationId, status } = await product(page, 'activate', device)
  expect(status).toBe(200)
  // A ticket can be used once.
  expect(await product(page, 'activate', device)).toMatchObject({ status: 401, code: 'ticket_refused' })

  await page.goto(`${at.account}/account?tab=device-management`)
  await page.getByRole('button', { name: 'Deactivate TRAVEL-BOOK' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await expect(page.getByText('The device deactivated successfully.')).toBeVisible()
  expect(await product(page, 'validate', { activationId, mac })).toMatchObject({ status: 200, state: 'deactivated' })
})
