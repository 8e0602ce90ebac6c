import type { Page } from '@playwright/test'
import { expect, signIn } from './journey.ts'

/** One of the demo's cast. */
export const demo = (name: string) => ({ email: `${name}@folio.test`, password: 'Atrium-demo-1' })

export const licenses = '/account?tab=license-management'
export const devices = '/account?tab=device-management'
export const byKey = `${devices}&method=keycode`

/** What stands in the address. */
export const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

/** Of the page's table, its head included. */
export const rows = (page: Page) => page.getByRole('table').getByRole('row')

/** Signs in and goes from a license to the devices of its first key, or another one. */
export async function openKey(page: Page, who: ReturnType<typeof demo>, licenseId: string, index = 0) {
  await signIn(page, who, `${byKey}&licenseId=${licenseId}`)
  await page
    .getByRole('link', { name: /^All Devices/ })
    .nth(index)
    .click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('All Devices')
}
