import { expect, test } from 'vitest'
import { readSettings } from './config.ts'

const least = { DATABASE_URL: 'postgres://localhost/atrium' }

test('on a developer’s machine only the database must be named', () => {
  expect(readSettings(least)).toMatchObject({
    publicUrl: 'http://localhost:3001',
    services: ['http://localhost:3000'],
    accountKeysUrl: 'http://localhost:3000/.well-known/jwks.json',
  })
})

test('elsewhere the secret must be set, and long', () => {
  const https = { ...least, SSO_URL: 'https://sso.example' }
  expect(() => readSettings(https)).toThrow('The setting SSO_SECRET is not set')
  expect(() => readSettings({ ...https, SSO_SECRET: 'short' })).toThrow('SSO_SECRET is not valid')
  expect(readSettings({ ...https, SSO_SECRET: 'x'.repeat(32) }).publicUrl).toBe('https://sso.example')
})

test('the secret may be missing on a developer’s machine only, whatever the scheme', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    for (const url of [`http://${host}:3001`, `https://${host}`]) {
      expect(readSettings({ ...least, SSO_URL: url }).publicUrl).toBe(url)
    }
  }
  for (const url of ['http://sso.example', 'http://192.168.1.20:3001', 'http://localhost.example', 'http://0.0.0.0']) {
    expect(() => readSettings({ ...least, SSO_URL: url })).toThrow('The setting SSO_SECRET is not set')
  }
})

test('a wrong setting is named, with every other wrong one', () => {
  const wrong = { ATRIUM_SSO_PORT: '99999', BRAND_COLOR: 'blue', SSO_SERVICES: 'nowhere' }
  expect(() => readSettings(wrong)).toThrow(/ATRIUM_SSO_PORT[\s\S]*DATABASE_URL[\s\S]*SSO_SERVICES[\s\S]*BRAND_COLOR/)
})
