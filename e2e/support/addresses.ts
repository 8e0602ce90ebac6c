import type { Locator, Page } from '@playwright/test'
import { expect } from './journey.ts'

export const addresses = '/account?tab=billing-address-management'

export const cards = (page: Page) => page.getByRole('main').getByRole('listitem')

/** Opens the dialog for a new address. */
export async function openAdd(page: Page) {
  await page.getByRole('main').getByRole('button', { name: 'Add Address' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add Address' })
  await expect(dialog.getByRole('combobox', { name: 'Country/Region' })).toBeFocused()
  return dialog
}

/** A text field. */
export const box = (dialog: Locator, name: string) => dialog.getByRole('textbox', { name, exact: true })

/** Saves, and waits for success. */
export async function save(page: Page, sentence = 'Address added successfully.') {
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('status').filter({ hasText: sentence }).last()).toBeVisible()
}

/** Adds addresses as another tab of the same browser would. @returns the statuses */
export function addBehind(page: Page, zips: readonly string[]): Promise<number[]> {
  return page.evaluate(async (wanted) => {
    const statuses: number[] = []
    for (const zip of wanted) {
      const body = { orderBillCountry: 'DE', orderBillState: 'BE', orderBillCity: 'Berlin', orderBillZip: zip }
      const headers = { 'content-type': 'application/json' }
      const reply = await fetch('/account/billing-addresses/', { method: 'POST', headers, body: JSON.stringify(body) })
      statuses.push(reply.status)
    }
    return statuses
  }, zips)
}

/** The menu items of the card with a text. */
export async function openMenu(page: Page, text: string) {
  await cards(page)
    .filter({ hasText: text })
    .getByRole('button', { name: /^More actions/ })
    .click()
  return page.getByRole('menu')
}
