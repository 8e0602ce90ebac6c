import { expect, test } from 'vitest'
import { readSsoConfig, vendorSettings } from './config.ts'

const least = { DATABASE_URL: 'postgres://localhost/atrium' }
const production = {
  ...least,
  SSO_URL: 'https://sso.example',
  SSO_SECRET: 'x'.repeat(32),
  ACCOUNT_URL: 'https://account.example',
  SITE_URL: 'https://www.example',
  BRAND_NAME: 'Example',
  SMTP_URL: 'smtp://localhost:25',
  MAIL_FROM: 'Example <no-reply@vendor.example>',
}

test('on a developer’s machine only the database must be set', () => {
  expect(readSsoConfig(least)).toMatchObject({
    SSO_URL: 'http://localhost:3001',
    SSO_SERVICES: ['http://localhost:3000'],
    ACCOUNT_KEYS_URL: 'http://localhost:3000/.well-known/jwks.json',
  })
})

test('cloud services are services too', () => {
  const services = (env: NodeJS.ProcessEnv) => readSsoConfig({ ...least, ...env }).SSO_SERVICES
  const cloud = { SSO_CLOUD_SERVICES: 'https://us.cloud.example/app/, https://eu.cloud.example' }
  const both = ['https://us.cloud.example/app', 'https://eu.cloud.example']
  expect(services(cloud)).toEqual(['http://localhost:3000', ...both])
  expect(services({ ...cloud, SSO_SERVICES: 'https://account.example' })).toEqual(['https://account.example', ...both])
})

test('elsewhere the secret must be set, and be long', () => {
  const https = { ...production, SSO_SECRET: undefined }
  expect(() => readSsoConfig(https)).toThrow('The setting SSO_SECRET is not set')
  expect(() => readSsoConfig({ ...https, SSO_SECRET: 'short' })).toThrow('SSO_SECRET is not valid')
  expect(readSsoConfig({ ...https, SSO_SECRET: 'x'.repeat(32) }).SSO_URL).toBe('https://sso.example')
})

test('the secret may be missing on a developer’s machine only, whatever the scheme', () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    for (const url of [`http://${host}:3001`, `https://${host}`]) {
      expect(readSsoConfig({ ...least, SSO_URL: url }).SSO_URL).toBe(url)
    }
  }
  for (const host of ['sso.example', '192.168.1.20:3001', 'localhost.example', '0.0.0.0']) {
    expect(() => readSsoConfig({ ...least, SSO_URL: `https://${host}` })).toThrow('The setting SSO_SECRET is not set')
    expect(() => readSsoConfig({ ...production, SSO_URL: `http://${host}` })).toThrow(
      'The setting SSO_URL is not valid: must be an https address, unless it is on this machine. See .env.example.',
    )
  }
})

test.each<readonly [name: string, value: string | undefined]>([
  ...vendorSettings.flatMap((name) => [[name, undefined] as const, [name, ' '] as const]),
  ['ACCOUNT_URL', 'http://account.example'],
  ['ACCOUNT_URL', 'https://127.0.0.1:3000'],
  ['ACCOUNT_URL', 'https://account.example/account'],
  ['SITE_URL', 'http://localhost:3002/site'],
  ['SSO_CLOUD_SERVICES', 'https://us.cloud.example,http://eu.cloud.example'],
  ['SSO_SECRET', `CHANGE-ME-${'x'.repeat(32)}`],
  ['DATABASE_URL', 'postgres://atrium:CHANGEME@localhost/atrium'],
])('behind a public https address, %s is not %s', (name, value) => {
  expect(readSsoConfig(production).SSO_URL).toBe('https://sso.example')
  expect(() => readSsoConfig({ ...production, [name]: value })).toThrow(
    new RegExp(`^The setting ${name} [^\\n]*\\. See \\.env\\.example\\.$`),
  )
})

test('production reports every missing setting, one sentence each', () => {
  expect(() => readSsoConfig({ ...least, SSO_URL: 'https://sso.example' })).toThrow(
    new RegExp(`^${['SSO_SECRET', ...vendorSettings].map((name) => `The setting ${name} .*`).join('\\n')}$`),
  )
})

test('without its own address the program does not start for a public account page', () => {
  const { SSO_URL, ...forgotten } = production
  expect(() => readSsoConfig({ ...forgotten, SSO_ULR: SSO_URL })).toThrow(
    'The setting SSO_URL is not set, but is needed with a public ACCOUNT_URL.',
  )
})

test('all wrong settings are reported together', () => {
  const wrong = { ATRIUM_SSO_PORT: '99999', BRAND_COLOR: 'blue', SSO_SERVICES: 'nowhere' }
  expect(() => readSsoConfig(wrong)).toThrow(/ATRIUM_SSO_PORT[\s\S]*DATABASE_URL[\s\S]*SSO_SERVICES[\s\S]*BRAND_COLOR/)
})

test('a login provider that is set up in part is a mistake, and names what is missing', () => {
  const base = { DATABASE_URL: 'postgres://localhost/atrium' }
  const refused = (env: NodeJS.ProcessEnv) => () => readSsoConfig({ ...base, ...env })
  expect(refused({ GOOGLE_CLIENT_ID: 'id' })).toThrow(/GOOGLE_CLIENT_SECRET is not set, but is needed/)
  expect(refused({ FACEBOOK_CLIENT_SECRET: 's' })).toThrow(/FACEBOOK_CLIENT_ID/)
  expect(refused({ LENOVO_CLIENT_ID: 'id', LENOVO_CLIENT_SECRET: 's' })).toThrow(/LENOVO_ISSUER/)
  expect(refused({ GOOGLE_ISSUER: 'http://accounts.example.com' })).toThrow(/must be an https address/)
})

test('only providers with a client are set up, and each talks to the real one by default', () => {
  const { PROVIDERS: none } = readSsoConfig({ DATABASE_URL: 'postgres://localhost/atrium' })
  expect(none).toEqual([])
  const client = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 's' }
  const { PROVIDERS: google } = readSsoConfig({ DATABASE_URL: 'postgres://localhost/atrium', ...client })
  expect(google).toEqual([{ name: 'google', issuer: 'https://accounts.google.com', clientId: 'id', clientSecret: 's' }])
})
