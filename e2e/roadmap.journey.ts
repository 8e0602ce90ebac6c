import deRoadmap from '@atrium/locales/de/roadmap.json' with { type: 'json' }
import type { Page } from '@playwright/test'
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
import { demo, query, rows } from './support/lists.ts'

const roadmap = '/account?tab=roadmap'
const notice = 'The roadmap isn’t available in Russian, so the language was changed to English.'

const items = (page: Page) => page.getByRole('table', { name: 'Roadmap items' }).locator('tbody tr')
const filter = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })

/** The name of today's quarter, which the vendor's clock has too. */
function currentQuarter(): string {
  const now = new Date()
  return `Q${1 + Math.trunc(now.getUTCMonth() / 3)} ${now.getUTCFullYear()}`
}

test('View Roadmap opens the current quarter first; each filter is in the address, and Back undoes it', async ({
  page,
}) => {
  await signIn(page, demo('ada'), '/account?tab=my-products')
  const link = page.getByRole('link', { name: /^View Roadmap: Folio PDF Editor\+ (Business|Individual|Education)$/ })
  await expect(link.first()).toBeVisible()
  await expect(page.getByRole('link', { name: /^View Roadmap/ })).toHaveCount(await link.count())
  await link.first().click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Roadmap\s31$/)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'My Products' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Roadmap' })).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 2, name: 'See where PDF Editor+ is going' })).toBeVisible()
  await expect(items(page)).toHaveCount(10)
  await expect(items(page).first()).toContainText(currentQuarter())

  await page.getByRole('button', { name: 'Current quarter' }).click()
  await expect(page.getByText('1–8 of 8')).toBeVisible()
  await expectAccessibleInBoth(page)
  await expect.poll(() => query(page)).toEqual({ tab: 'roadmap', currentQuarter: '1' })
  await expect(items(page).filter({ hasNotText: currentQuarter() })).toHaveCount(0)
  await filter(page, 'Status').selectOption('In Beta')
  await expect(items(page)).toHaveCount(3)
  await filter(page, 'Product').selectOption('Mac')
  await expect(items(page)).toHaveText([/PDF-1115.*Batch actions.*Mac.*In Beta/])
  // One quarter is chosen, or the current one.
  const choices = await filter(page, 'Quarter').locator('option').allTextContents()
  expect(choices).toHaveLength(7)
  await filter(page, 'Quarter').selectOption({ index: 1 })
  await expect(page.getByText('No data. No features match your filters.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Current quarter' })).toHaveAttribute('aria-pressed', 'false')
  await page.goBack()
  await expect(page.getByRole('button', { name: 'Current quarter' })).toHaveAttribute('aria-pressed', 'true')
  await page.reload()
  await expect(items(page)).toHaveCount(1)

  await page.getByRole('button', { name: 'Clear All' }).first().click()
  await page.getByRole('textbox', { name: 'Search the roadmap' }).fill('pdf-1103')
  await page.keyboard.press('Enter')
  await expect(items(page)).toHaveText([/Recognize text in scans/])
  await expect.poll(() => query(page)).toEqual({ tab: 'roadmap', keyword: 'pdf-1103' })
  await page.getByRole('button', { name: 'My Products' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('My Products')
})

test('values that the roadmap does not have fall away, from the address too', async ({ page }) => {
  const wrong = 'planCycle=1999-Q1&productType=Amiga&currentQuarter=maybe&keyword='
  await signIn(page, demo('ada'), `${roadmap}&status=planned&${wrong}&page=99`)
  await expect(items(page).first()).toContainText('Planned')
  await expect.poll(() => query(page)).toEqual({ tab: 'roadmap', status: 'planned' })
  await page.goto(`${at.account}${roadmap}&status=shipped&planCycle=Q4`)
  await expect(rows(page)).toHaveCount(11)
  await expect.poll(() => query(page)).toEqual({ tab: 'roadmap' })
})

test('on a phone and in German the items are cards with the vendor’s names or our own; a failure and an empty roadmap say so', async ({
  page,
}) => {
  await page.setViewportSize({ width: 375, height: 800 })
  // A vendor who names one state.
  const named = { 'roadmap-status': [{ code: 'in_progress', name: 'Wird gerade gebaut' }] }
  await page.route('**/account/dictionaries/**', (route) => route.fulfill({ json: named }))
  await signIn(page, demo('ada'), `/de${roadmap}&status=in_progress`)
  const cards = page.getByRole('list', { name: deRoadmap.list }).getByRole('listitem')
  await expect(cards.first()).toContainText('Wird gerade gebaut')
  await expect(page.getByRole('combobox', { name: 'Status' }).locator('option')).toHaveText([
    deRoadmap.filters.anyStatus,
    deRoadmap.statuses.planned,
    'Wird gerade gebaut',
    deRoadmap.statuses.in_beta,
    deRoadmap.statuses.released,
  ])
  await expect(cards.first()).toContainText(/\d\. Quartal \d{4}/)
  await expect(page.getByRole('combobox', { name: 'Quartal' }).locator('option').nth(1)).toHaveText(/\. Quartal /)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page)

  let isDown = true
  const problem = { type: 'about:blank', title: 'x', status: 500, code: 'internal', requestId: 'r-1' }
  const empty = { list: [], total: 0, planCycle: [], productType: [], currentQuarter: '2026-Q4' }
  await page.route('**/account/roadmap/**', (route) =>
    isDown
      ? route.fulfill({ status: 500, contentType: 'application/problem+json', json: problem })
      : route.fulfill({ json: empty }),
  )
  await page.goto(`${at.account}/de${roadmap}`)
  await expect(page.getByText('r-1')).toBeVisible()
  isDown = false
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect(page.getByText(deRoadmap.empty)).toBeVisible()
  await expect(page.getByRole('combobox')).toHaveCount(0)
})

test('in Russian the roadmap opens in English and says so once, also after signing in', async ({ page }) => {
  await page.goto(`${at.account}/ru/account?tab=Road_Map&status=planned`)
  await expect(page).toHaveURL(/\/cas\/login/)
  await fillSignIn(page, demo('vera'))
  await expect(page.getByText(notice)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-US')
  await expect(page).toHaveURL(`${at.account}/account?tab=roadmap&status=planned`)
  await page.reload()
  await expect(items(page).first()).toBeVisible()
  await expect(page.getByText(notice)).toHaveCount(0)

  await page.goto(`${at.account}/ru/account?tab=my-products`)
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru-RU')
  await page.goto(`${at.account}/account/roadmap.html`)
  await expect(page.getByText(notice)).toBeVisible()
  await expect(page).toHaveURL(`${at.account}${roadmap}`)
})
