import type { BrowserContext, Page } from '@playwright/test'
import { test as base, watch } from './journey.ts'
import { share } from './open-tab.ts'

interface Own {
  /** Of this journey alone: for what a page is told before it loads, and what the next journey would meet. */
  ownPage: Page
}

/**
 * A journey on a page of its worker: who is signed in already opens a tab of it, which loads nothing. It remembers for half a minute what it
 * has loaded for the journeys before: whoever answers such a request reloads it.
 */
export const test = base.extend<Own>({
  context: async ({ browser, kept }, use) => {
    kept.context ??= await browser.newContext()
    await use(kept.context)
  },
  page: async ({ context, kept }, use) => {
    if (!kept.page) {
      kept.page = await context.newPage()
      share(kept.page)
    }
    await use(kept.page)
    await tidy(context, kept.page)
  },
  ownPage: async ({ browser }, use) => {
    const context = await browser.newContext()
    const end = watch(context)
    await use(await context.newPage())
    await context.close()
    end()
  },
})

/** As a new page would be, but for its address and its session. */
async function tidy(context: BrowserContext, page: Page): Promise<void> {
  for (const name of ['request', 'response'] as const) page.removeAllListeners(name)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of context.pages()) if (other !== page) await other.close()
  await context.setOffline(false)
  await context.clearCookies({ name: 'atrium_locale' })
  await page.mouse.move(0, 0)
  await page.emulateMedia({ colorScheme: null, reducedMotion: null })
  await page.setViewportSize({ width: 1280, height: 720 })
}
