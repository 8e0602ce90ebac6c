import { defineConfig } from '@playwright/test'
import { browserSwitches, findBrowser } from '../scripts/browser.ts'

// The workers read this file too, and are told.
process.env.ATRIUM_BROWSER ??= (await findBrowser()).path

export default defineConfig({
  testDir: '.',
  testMatch: '*.journey.ts',
  // What moves the business clock comes last, since everybody's renewals and ends follow it: beside it, what has none.
  projects: [
    { name: 'journeys', testIgnore: ['clock.journey.ts', 'sandbox-cards*.journey.ts'] },
    { name: 'clock', testMatch: 'clock.journey.ts', dependencies: ['journeys'] },
    { name: 'fields', testMatch: 'sandbox-cards*.journey.ts', dependencies: ['journeys'] },
  ],
  outputDir: '../test-results/journeys',
  globalSetup: './support/global-setup.ts',
  // For two cores: two browsers besides three programs and a database. Three take as long, and meet the limits of sign-ins.
  workers: 2,
  fullyParallel: true,
  // These end what hangs. What a busy machine takes is no failure: the budgets measure what people wait for.
  timeout: 240_000,
  expect: { timeout: 30_000, toPass: { timeout: 60_000 } },
  forbidOnly: true,
  retries: 0,
  reporter: [['list'], ['json', { outputFile: '../test-results/journeys.json' }]],
  use: {
    headless: true,
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    launchOptions: { executablePath: process.env.ATRIUM_BROWSER, args: browserSwitches },
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    // A trace costs a fifth of the time. For debugging, use `--trace retain-on-failure`.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
