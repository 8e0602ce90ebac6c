import { gzipSync } from 'node:zlib'
import { expect, signIn, test } from './support/journey.ts'

/** kB, gzip (`docs/performance.md`). */
const budgets = { script: 240, stylesheet: 30 }

test('the first tab needs no more script and style than its budget', async ({ page, guest }) => {
  await signIn(page, guest)
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
  // With a route in place nothing comes from the cache.
  await page.route('**/assets/**', (route) => route.continue())
  await page.goto(page.url())
  await expect(page.getByRole('main')).toContainText(guest.email)
  await page.waitForLoadState('networkidle')
  await Promise.all(pending)

  process.stdout.write(
    `  first tab: ${sizes.script.toFixed(0)} kB script, ${sizes.stylesheet.toFixed(0)} kB style (gzip)\n`,
  )
  expect(sizes.script).toBeGreaterThan(50)
  expect(sizes.script).toBeLessThanOrEqual(budgets.script)
  expect(sizes.stylesheet).toBeLessThanOrEqual(budgets.stylesheet)
})
