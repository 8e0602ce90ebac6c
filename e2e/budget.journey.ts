import { gzipSync } from 'node:zlib'
import { allTabs } from '@atrium/contract/tabs.ts'
import type { Page } from '@playwright/test'
import { at, demoSubscription, expect, haveSession, signIn } from './support/journey.ts'
import { test } from './support/shared-page.ts'

/** kB, gzip (`docs/performance.md`). The profile is where most visits begin. */
const budgets = { profile: 215, script: 240, stylesheet: 24, dialog: 60 }

for (const { name } of allTabs.filter(({ texts }) => texts.length > 0)) {
  test(`${name}, opened first, needs no more script and style than its budget`, async ({ page, reader }) => {
    await haveSession(page, reader)
    await page.goto('about:blank')
    const sizes = await sizesOf(page, `${at.account}/account?tab=${name}`)

    process.stdout.write(
      `  ${name}: ${sizes.script.toFixed(0)} kB script, ${sizes.stylesheet.toFixed(0)} kB style (gzip)\n`,
    )
    expect(sizes.script).toBeGreaterThan(50)
    expect(sizes.script).toBeLessThanOrEqual(name === 'profile' ? budgets.profile : budgets.script)
    expect(sizes.stylesheet).toBeLessThanOrEqual(budgets.stylesheet)
  })
}

test('My Subscriptions with a dialog of money needs little more than the first tab, and nothing of the providers', async ({
  page,
}) => {
  await signIn(page, { email: 'ada@folio.test', password: 'Atrium-demo-1' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('about:blank')
  const first = await sizesOf(page, `${at.account}/account?tab=profile`)
  await page.goto('about:blank')
  const address = `${at.account}/account?tab=my-subscriptions&dialog=more&sid=${demoSubscription('ada-esign')}`
  const dialog = await sizesOf(page, address)
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Pay / })).toBeVisible()

  const more = dialog.script - first.script
  process.stdout.write(`  a dialog of My Subscriptions: ${more.toFixed(0)} kB script more than the profile (gzip)\n`)
  expect(more).toBeGreaterThan(0)
  expect(more).toBeLessThanOrEqual(budgets.dialog)
  expect(asked.filter((url) => !url.startsWith(at.account))).toEqual([])
})

/** The size of everything that a page loads until the network is idle. */
async function sizesOf(page: Page, address: string) {
  const sizes = { script: 0, stylesheet: 0 }
  const pending: Promise<void>[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    if (type === 'script' || type === 'stylesheet') {
      pending.push(
        response.body().then((body) => {
          sizes[type] += gzipSync(body).length / 1000
        }),
      )
    }
  })
  // A route disables the cache.
  await page.route('**/assets/**', (route) => route.continue())
  await page.goto(address)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.waitForLoadState('networkidle')
  await Promise.all(pending)
  page.removeAllListeners('response')
  return sizes
}
