import { at, demoSubscription, expect, expectAccessible, signIn, test } from './support/journey.ts'
import { demo, licenses, query, rows } from './support/lists.ts'

test('Manage User opens by subId; its breadcrumb, Back and the menu leave it', async ({ page }) => {
  await signIn(page, demo('ada'), `${licenses}&sku=pdf-editor-plus`)
  await page.getByRole('link', { name: 'Manage User: L-2026-0412' }).click()
  await expect(page.getByRole('heading', { level: 1, name: /Manage User/ })).toBeFocused()
  expect(query(page)).toEqual({
    tab: 'license-management',
    sku: 'pdf-editor-plus',
    subId: demoSubscription('ada-editor'),
  })
  await expect(page.getByText('3 of 12 seats used · 1 invited · 8 free')).toBeVisible()
  await expect(rows(page)).toHaveCount(8)
  await expect(rows(page).nth(1)).toContainText('ada@folio.test')
  await expect(rows(page).nth(1)).toContainText('Owner')
  await expect(rows(page).filter({ hasText: 'mina@' })).toContainText('Setup Admin')
  await expect(rows(page).filter({ hasText: 'jonas.berg@' })).toContainText('Pending')
  await expect(rows(page).filter({ hasText: 'linus@' })).toContainText('No license')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'License Management' }).click()
  await expect(page.getByText('L-2026-0412')).toBeVisible()
  expect(query(page)).toEqual({ tab: 'license-management', sku: 'pdf-editor-plus' })
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Manage User')
  await page.getByRole('link', { name: 'License', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('License Management')
  expect(query(page)).toEqual({ tab: 'license-management' })
})

test('an unknown subscription, or one they may not manage, shows an error with a link back', async ({ page }) => {
  await signIn(page, demo('pia'), `${licenses}&subId=${demoSubscription('ada-editor')}`)
  await expect(page.getByRole('alert')).toContainText('You do not manage the users of this subscription.')
  await page.goto(`${at.account}${licenses}&subId=${demoSubscription('grace-editor')}`)
  await expect(page.getByRole('alert')).toContainText('There is no such subscription in your account.')
  await page.getByRole('button', { name: 'Back to License Management' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('License Management')
  expect(query(page)).toEqual({ tab: 'license-management' })
})
