import type { Page } from '@playwright/test'
import { expect, signIn } from './journey.ts'

/** A customer of the demo vendor. */
export const demo = (name: string) => ({ email: `${name}@folio.test`, password: 'Atrium-demo-1' })

export const licenses = '/account?tab=license-management'
export const devices = '/account?tab=device-management'
export const byKey = `${devices}&method=keycode`

/** The query parameters of the address. */
export const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** The rows of the page's table, including its head. */
export const rows = (page: Page) => page.getByRole('table').getByRole('row')

/** Signs in and opens the devices of a license's key, by default the first. */
export async function openKey(page: Page, who: ReturnType<typeof demo>, licenseId: string, index = 0) {
  await signIn(page, who, `${byKey}&licenseId=${licenseId}`)
  await page
    .getByRole('link', { name: /^All Devices/ })
    .nth(index)
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('All Devices')
}
