import { expect, test } from 'vitest'
import { misspelledSettings, warnOfSuspiciousSettings } from './suspicious-settings.ts'

test('a variable that is almost a setting is found; another program’s variables and correct settings are not', () => {
  const names = ['SESSION_IDLE_MINUTES', 'SSO_URL', 'ATRIUM_PORT', 'ATRIUM_HOST']
  const env = {
    SESSION_IDEL_MINUTES: '10',
    SESSION_IDLE_MINUTES: '10',
    SSO_URI: 'x',
    SSO_ULR: 'x',
    ATRIUM_POST: '1',
    ATRIUM_HOST: 'a',
  }
  expect(misspelledSettings(env, names)).toEqual([
    { name: 'SESSION_IDEL_MINUTES', meant: 'SESSION_IDLE_MINUTES' },
    { name: 'SSO_ULR', meant: 'SSO_URL' },
    { name: 'ATRIUM_POST', meant: 'ATRIUM_PORT' },
  ])
  expect(misspelledSettings({ ATRIUM_PORT: '3000' }, ['ATRIUM_HOST'])).toEqual([])
})

test('a setting that still has the sample’s address is named, and another program’s variable is not', () => {
  const warned: unknown[] = []
  const logger = { warn: (details: unknown) => void warned.push(details) }
  const env = {
    PUBLIC_URL: 'https://account.example.com',
    SSO_URL: 'https://login.example.community',
    OTHER: 'https://example.com',
  }
  warnOfSuspiciousSettings(logger, env, ['PUBLIC_URL', 'SSO_URL'])
  expect(warned).toEqual([{ setting: 'PUBLIC_URL' }])
})
