import AxeBuilder from '@axe-core/playwright'
import type { BrowserContext, Frame, FrameLocator, Locator, Page, Request } from '@playwright/test'
import { expect } from './journey.ts'
import type { Merchant } from './merchant.ts'

/** `wanted` is the query of the merchant's page: `family`, `options`, `payment`, `dark`. */
export async function openMerchant(page: Page, { origin }: Merchant, wanted: Readonly<Record<string, string>> = {}) {
  await page.goto(`${origin}/?${new URLSearchParams(wanted)}`)
}

/** The payment element's frame, or another one by its title. */
export function cardFrame(page: Page, title = 'Secure payment input frame'): FrameLocator {
  return page.frameLocator(`iframe[title="${title}"]`)
}

/** The frame of a page of the provider. */
export function frameWith(page: Page, name: 'element' | 'controller' | 'challenge'): Frame {
  const found = page.frames().find((frame) => frame.url().includes(`/${name}#`))
  if (!found) throw new Error(`no frame with the ${name}`)
  return found
}

/** As the browser's context menu does. */
export async function reload(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    document.body.replaceChildren()
    setTimeout(() => location.reload())
  })
}

/** Types number, expiry and code into the payment element. */
export async function typeCard(page: Page, [number, expiry, code]: readonly [string, string, string]): Promise<void> {
  const frame = cardFrame(page)
  await frame.getByLabel('Card number').pressSequentially(number)
  await frame.getByLabel('Expiration date').pressSequentially(expiry)
  await frame.getByLabel('Security code').pressSequentially(code)
  await expect(frame.getByLabel('Security code')).toHaveValue(code)
}

/** Not awaited: the key removes its own frame, and the browser may never confirm the key press. */
export function escapeFrom(field: Locator): void {
  field.press('Escape').catch(() => undefined)
}

export async function saveCard(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Save card' }).click()
}

/** The result that the merchant's page shows. */
export const resultOf = (page: Page) => page.locator('output')
export const problemOf = (page: Page) => page.locator('form > [role=alert]')

/** The origins to which requests with these digits are sent. */
export function requestsWith(context: BrowserContext, digits: string): Set<string> {
  const origins = new Set<string>()
  context.on('request', (request: Request) => {
    const said = decodeURIComponent(`${request.url()} ${request.postData() ?? ''}`).replaceAll(/[\s+-]/g, '')
    if (said.includes(digits)) origins.add(new URL(request.url()).origin)
  })
  return origins
}

/** Options of the payment element for a country whose cards need no postal code. */
export const germany = JSON.stringify({ defaultValues: { billingDetails: { address: { country: 'DE' } } } })

/** The merchant's page with a card from such a country, ready to save. */
export async function openWith(page: Page, merchant: Merchant, card: Parameters<typeof typeCard>[1]): Promise<void> {
  await openMerchant(page, merchant, { payment: germany })
  await typeCard(page, card)
}

/** Everything that the merchant's page received, by window messages and element events. */
export function toldOf(page: Page) {
  return page.evaluate(() => ({ messages: window.merchant.messages, events: window.merchant.events }))
}

/**
 * Checks all accessibility rules, in the provider's frames too. The tool skips frames that do not answer immediately, so
 * it is run again.
 * @param depth how many levels of nested frames have content
 */
export async function expectAccessibleFrames(page: Page, depth = 1): Promise<void> {
  await expect(async () => {
    const { violations, passes } = await new AxeBuilder({ page }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
    expect(Math.max(...passes.flatMap(({ nodes }) => nodes.map(({ target }) => target.length - 1)))).toBe(depth)
  }).toPass()
}

/** The bank's page over the merchant's. */
export function bankOf(page: Page, name = 'Authentication by your bank') {
  const dialog = page.getByRole('dialog', { name })
  const outer = dialog.locator('iframe').contentFrame()
  const bank = outer.locator('iframe').contentFrame()
  return {
    dialog,
    close: outer.getByRole('button', { name: 'Close' }),
    approve: bank.getByRole('button', { name: 'Complete authentication' }),
    refuse: bank.getByRole('button', { name: 'Fail authentication' }),
  }
}
