import type { Page } from '@playwright/test'
import { palette } from './screenshot-acts.ts'

/** Reloads the page with answers that the demo does not give, by the path of the request. @param shown a text to scroll to */
export async function answered(page: Page, answers: Readonly<Record<string, object>>, shown?: string): Promise<void> {
  for (const [path, json] of Object.entries(answers)) {
    await page.route(`**/account/${path}/`, (route) => route.fulfill({ json }))
  }
  await page.reload()
  await page.waitForLoadState('networkidle')
  if (shown) await page.getByText(shown).first().scrollIntoViewIfNeeded()
}

/** An expired card as the only reason to worry. The tab that has loaded the cards says it itself, the next one has the line. */
export async function worryingCard(page: Page): Promise<void> {
  await page.route('**/account/my-products/renewals/**', async (route) => {
    const reply = await route.fetch()
    await route.fulfill({ response: reply, json: { ...(await reply.json()), list: [], total: 0 } })
  })
  await page.reload()
  await page.waitForLoadState('networkidle')
  await palette(page, '')
  await page.keyboard.press('Enter')
  await page.locator('main section').first().waitFor()
}

/** Reloads the page with one reason to worry, of the prompts that the demo gives. */
export async function worrying(page: Page, reason: string): Promise<void> {
  await page.route('**/account/my-products/renewals/**', async (route) => {
    const reply = await route.fetch()
    const { list, ...others } = await reply.json()
    const [prompt] = list
    const only = { ...prompt, reason, remainDays: 12, isCanceled: 0, trial: undefined }
    await route.fulfill({ response: reply, json: { ...others, list: [only], charges: [] } })
  })
  await page.reload()
  await page.waitForLoadState('networkidle')
}

const orderArchive = {
  ...{ id: '00000000-0000-4000-8000-000000000000', filter: { keyWord: '' }, total: 2000, done: 214 },
  ...{ missing: [], file: null },
}

/** The ZIP with documents of orders: in progress, and ready without two of them. */
export const preparing = { 'online-orders/archive': { orderArchive } }
export const prepared = {
  'online-orders/archive': {
    orderArchive: {
      ...orderArchive,
      ...{ done: 2000, missing: ['FO-2025-10412', 'FO-2025-10433'] },
      file: { size: 61_400_000, expiresAt: '2030-12-01T10:00:00.000Z' },
    },
  },
}

export const browsers = {
  sessions: {
    isComplete: true,
    sessions: [
      browser('Firefox', 'Windows', true),
      browser('Safari', 'iOS', false),
      { ...browser('', '', false), address: null },
    ],
  },
}

function browser(name: string, system: string, isCurrent: boolean) {
  return {
    ...{ id: `${name}-${system}`, browser: name, system, isCurrent, address: '2001:db8:85a3:8d3:1319:8a2e:370:7348' },
    ...{ startedAt: 1_788_000_000, usedAt: 1_788_080_000 },
  }
}

const linked = { linkedAt: 1_780_000_000, institution: null, canUnlink: true }
export const linkedAccounts = {
  'linked-accounts': {
    providers: ['google', 'microsoft', 'facebook', 'linkedin', 'education', 'lenovo'],
    accounts: [
      { ...linked, id: '1', provider: 'google', email: 'a.rather.long.address.of.ada.lindqvist@gmail.test' },
      { ...linked, id: '2', provider: 'education', email: null, institution: 'Hochschule an der Elbe' },
    ],
  },
}

/** Scrolls to the copy of the member's data: in progress, or ready. */
export async function exportedData(page: Page, isReady: boolean): Promise<void> {
  const dataExport = {
    ...{ id: '00000000-0000-4000-8000-000000000000', requestedAt: '2030-11-30T10:00:00.000Z' },
    file: isReady ? { size: 48_213, expiresAt: '2030-12-01T10:00:00.000Z' } : null,
  }
  await answered(page, { 'data-export': { dataExport } })
  await page.locator('main p[role="status"]:not(:empty)').last().scrollIntoViewIfNeeded()
}

export const supportPresent = {
  'support-sessions': {
    grantedUntil: 1_988_000_000,
    sessions: [
      {
        ...{ id: '00000000-0000-4000-8000-000000000000', agentName: 'Sam Okoye', ticket: 'T-4711' },
        ...{ reason: 'The last invoice is missing', startedAt: 1_788_000_000, endsAt: 1_788_003_600 },
      },
    ],
  },
}

export const cloudAccount = (region: string) => ({
  'cloud/region': {
    ...{ region, regions: ['us', 'eu', 'ca', 'au'], userTypeId: '0' },
    userTypes: [
      { id: '0', name: '' },
      { id: 'lindqvist', name: 'Lindqvist Design Studio' },
      { id: 'northgate', name: 'Northgate Legal LLP' },
    ],
  },
})
