import { ConfigError } from '@atrium/server-kit/config.ts'
import { expect, test } from 'vitest'
import { cardSettings, paypalSettings, vendorSettings } from './config.rules.ts'
import { AccountSettings, readAccountConfig } from './config.ts'
import { providerSources } from './page/provider-sources.ts'

const real = {
  DATABASE_URL: 'postgres://localhost/atrium',
  STRIPE_SECRET_KEY: 'sk_live_real',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_real',
  STRIPE_WEBHOOK_SECRETS: 'whsec_real',
  STRIPE_API_URL: 'https://api.stripe.com',
  STRIPE_SCRIPT_URL: 'https://js.stripe.com/endive/stripe.js',
}
const withoutCards = {
  DATABASE_URL: real.DATABASE_URL,
  PUBLIC_URL: 'https://account.example.com',
  SSO_URL: 'https://login.example.com',
  SITE_URL: 'https://www.example.com',
  FEEDBACK_URL: 'https://www.example.com/feedback',
  TICKETS_URL: 'https://support.example.com',
  ADMIN_CONSOLE_URL: 'https://admin.example.com',
  DOWNLOAD_HOSTS: 'downloads.example.com',
  SMTP_URL: 'smtp://localhost:25',
  MAIL_FROM: 'Example <no-reply@example.com>',
  SALES_EMAIL: 'sales@example.com',
  SELLER_NAME: 'Example Software Inc.',
  SELLER_ADDRESS: '1 Main Street|Springfield',
  BRAND_NAME: 'Example',
  PAYPAL: 'none',
}
const realPaypal = {
  PAYPAL: 'on',
  PAYPAL_CLIENT_ID: 'AbC-123',
  PAYPAL_CLIENT_SECRET: 'EfG-456',
  PAYPAL_API_URL: 'https://api-m.paypal.com',
  PAYPAL_WEBHOOK_ID: '8PT597110X687430L',
  PAYPAL_ROOTS: 'system',
}
const production = { ...real, ...withoutCards, ...realPaypal }

test('a real card provider is taken as a whole', () => {
  expect(readAccountConfig(real).STRIPE_SECRET_KEY).toBe('sk_live_real')
})

test.each([
  ['STRIPE_PUBLISHABLE_KEY', 'pk_test_sandbox'],
  ['STRIPE_WEBHOOK_SECRETS', 'whsec_real, whsec_sandboxsandboxsandbox'],
  ['STRIPE_WEBHOOK_SECRETS', ','],
  ['STRIPE_API_URL', 'http://api.stripe.com'],
  ['STRIPE_SCRIPT_URL', 'http://localhost:3002/cards/js/endive/stripe.js'],
])('with a live key, %s is not %s', (name, value) => {
  expect(() => readAccountConfig({ ...real, [name]: value })).toThrow(name)
})

test.each(cardSettings)('a live card provider without %s is told that it is missing', (name) => {
  expect(() => readAccountConfig({ ...real, [name]: '' })).toThrow(
    new RegExp(`^The setting ${name} is not set, but is needed with STRIPE_[A-Z_]+. See .env.example.$`),
  )
})

test.each<readonly [name: string, value: string | undefined]>([
  ['PAYPAL_API_URL', 'http://api-m.paypal.com'],
  ['PAYPAL_ROOTS', 'https://api.paypal.com/root.pem'],
  ...paypalSettings.filter((name) => name !== 'PAYPAL_API_URL').map((name) => [name, undefined] as const),
])('with the real PayPal, %s is not %s', (name, value) => {
  const env = { DATABASE_URL: real.DATABASE_URL, ...realPaypal, [name]: value }
  expect(() => readAccountConfig(env)).toThrow(new RegExp(`^The setting ${name} [^\\n]*\\. See`))
})

test('a production that lacks nothing starts', () => {
  expect(readAccountConfig(production).PUBLIC_URL).toBe('https://account.example.com')
})

test.each<readonly [name: string, value: string | undefined]>([
  ['SSO_URL', 'http://login.example.com'],
  ['SSO_URL', 'https://localhost:3001'],
  ['SSO_URL', undefined],
  ['STRIPE_API_URL', 'https://127.0.0.1:3002'],
  ['STRIPE_SCRIPT_URL', 'https://[::1]/stripe.js'],
  ['STRIPE_WEBHOOK_SECRETS', 'whsec_sandboxsandboxsandbox'],
  ...[...vendorSettings, ...cardSettings, ...paypalSettings].flatMap((name) => [
    [name, undefined] as const,
    [name, ' '] as const,
  ]),
  ['SITE_URL', 'http://localhost:3002/site'],
  ['FEEDBACK_URL', 'http://localhost:3002/support/feedback'],
  ['CLOUD_URL_CA', 'http://localhost:3002/cloud/ca'],
  ['EVENT_URLS', 'http://erp.example.com/events'],
  ['STRIPE_SECRET_KEY', 'sk_test_CHANGEME'],
  ['STRIPE_WEBHOOK_SECRETS', 'whsec_CHANGEME'],
  ['DATABASE_URL', 'postgres://atrium:CHANGE-ME@localhost/atrium'],
  ['SELLER_NAME', 'change-me'],
])('behind a public https address, %s is not %s', (name, value) => {
  const test = { STRIPE_SECRET_KEY: 'sk_test_real', STRIPE_PUBLISHABLE_KEY: 'pk_test_real' }
  const secret = { EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
  expect(() => readAccountConfig({ ...production, ...test, ...secret, [name]: value })).toThrow(
    new RegExp(`^The setting ${name} [^\\n]*\\. See \\.env\\.example\\.$`),
  )
})

test('production says everything that it lacks, a sentence a setting', () => {
  const lacking = { DATABASE_URL: real.DATABASE_URL, PUBLIC_URL: production.PUBLIC_URL }
  const names = [...vendorSettings, ...cardSettings, ...paypalSettings]
  expect(() => readAccountConfig(lacking)).toThrow(
    new RegExp(`^${names.map((name) => `The setting ${name} .*`).join('\\n')}$`),
  )
})

test('every default of the demo vendor must be replaced in production', () => {
  const demo = Object.entries(AccountSettings.shape).flatMap(([name, schema]) => {
    const parsed = schema.safeParse(undefined)
    return parsed.success && /folio|localhost:300[12]|sandbox/i.test(JSON.stringify(parsed.data ?? '')) ? [name] : []
  })
  expect(demo.length).toBeGreaterThan(10)
  expect([...vendorSettings, ...cardSettings, ...paypalSettings]).toEqual(expect.arrayContaining(demo))
})

test('without an address of its own the program does not start beside a public single sign-on', () => {
  const { PUBLIC_URL, ...forgotten } = production
  expect(() => readAccountConfig({ ...forgotten, PUBLIC_ULR: PUBLIC_URL })).toThrow(
    'The setting PUBLIC_URL is not set, but is needed with a public SSO_URL.',
  )
  const local = { DATABASE_URL: real.DATABASE_URL, NODE_ENV: 'production' }
  expect(() => readAccountConfig(local)).toThrow(
    'The setting PUBLIC_URL is not set, but is needed with NODE_ENV=production.',
  )
  expect(readAccountConfig({ ...forgotten, PUBLIC_URL: 'http://localhost:3000' }).PUBLIC_URL).toBe(
    'http://localhost:3000',
  )
})

test('the business clock may be moved in a trial on this machine alone', () => {
  const movable = { BUSINESS_CLOCK: 'movable' }
  expect(readAccountConfig({ DATABASE_URL: real.DATABASE_URL, ...movable }).BUSINESS_CLOCK).toBe('movable')
  for (const env of [production, { ...real, PUBLIC_URL: 'http://localhost:3000', NODE_ENV: 'production' }]) {
    expect(() => readAccountConfig({ ...env, ...movable })).toThrow(
      'The setting BUSINESS_CLOCK is movable, which is for a trial on one machine. See .env.example.',
    )
  }
})

test('a trial on this machine lacks nothing, also behind https', () => {
  const url = 'https://localhost:8443'
  expect(readAccountConfig({ DATABASE_URL: real.DATABASE_URL, PUBLIC_URL: url }).PUBLIC_URL).toBe(url)
})

test('without providers their settings are not looked at, and the page may reach nothing of them', () => {
  const settings = { CARD_PROVIDER: 'none', PAYPAL: 'none', STRIPE_WEBHOOK_SECRETS: 'whsec_CHANGEME' }
  const config = readAccountConfig({ ...withoutCards, ...settings })
  expect(providerSources(config)).toEqual({ script: [], frame: [], connect: [], image: [] })
})

test.each([
  ['PUBLIC_URL', 'http://account.example.com', 'must be an https address, unless it is on this machine'],
  [
    'PUBLIC_URL',
    'https://example.com/atrium',
    'must be an address without a path, such as https://account.example.com',
  ],
  ['SUPPORT_ROLE', 'support', 'must be <attribute>:<value>, such as roles:support'],
  ['SUPPORT_ROLE', 'roles:', 'must be <attribute>:<value>, such as roles:support'],
  ['PUBLIC_URL', 'account.example.com', 'must be an http or https address'],
  ['PUBLIC_URL', 'https://account..example.com', 'must have a host name such as www.example.com, or an IP address'],
  ['SSO_URL', 'https://login,example.com', 'must have a host name such as www.example.com, or an IP address'],
  ['SSO_URL', 'https://-login.example.com', 'must have a host name such as www.example.com, or an IP address'],
  ['DOWNLOAD_HOSTS', 'https://downloads.example.com', 'must be hosts such as files.example.com, without https://'],
  ['LINK_HOSTS', 'portal..example.com', 'must be hosts such as files.example.com, without https://'],
  ['CLOUD_URL_EU', 'http://eu.cloud.example.com', 'must be an https address, unless it is on this machine'],
  ['CLOUD_URL_EU', 'https://eu.cloud.example.com/?x=y', 'must be an address without ? and #: paths are appended to it'],
  ['SMTP_URL', 'smtp://mail..example.com:25', 'must have a host name such as mail.example.com, or an IP address'],
  ...['smtp://10.0.0.300:25', 'smtp://mail.10', 'smtp://mail.example.com:0'].map((address) => [
    'SMTP_URL',
    address,
    'must have a host name such as mail.example.com, or an IP address',
  ]),
  ...['smtp://user:p@ss/w@mail.example.com', 'smtp://mail.example.com/x', 'smtp://mail.example.com?x'].map(
    (address) => [
      'SMTP_URL',
      address,
      'must be like smtp://user:password@host:port, with the password percent-encoded',
    ],
  ),
  ...['https://login.example.com/cas?x', 'https://login.example.com#x'].map((address) => [
    'SSO_URL',
    address,
    'must be an address without ? and #: paths are appended to it',
  ]),
  ['PUBLIC_URL', 'https://account.example.com:0', 'must have a host name such as www.example.com, or an IP address'],
  ['INVOICE_HOSTS', 'http://x', 'must be hosts such as files.example.com, without https://'],
  ['MAIL_FROM', 'nobody', 'must be an e-mail address, or a name and one: Example <no-reply@example.com>'],
  ['SMTP_URL', 'mail.example.com', 'must be an address such as smtp://user:password@host:port'],
  ['SALES_EMAIL', 'sales', 'must be an e-mail address'],
  ['STRIPE_WEBHOOK_SECRETS', 'abc, def', 'must be secrets such as whsec_…'],
  ['TRUSTED_PROXIES', 'nginx', 'must be IP addresses or networks, such as 127.0.0.1 or 10.0.0.0/8'],
  ['TRUSTED_PROXIES', '127.0.0.1/99', 'must be IP addresses or networks, such as 127.0.0.1 or 10.0.0.0/8'],
  ['DATABASE_POOL', '1', 'must be at least 2'],
  ['DATABASE_POOL', '500', 'must be at most 200'],
  ['DATABASE_POOL', 'many', 'must be a number'],
  ['DATABASE_POOL', '2.5', 'must be a whole number'],
  ['SESSION_IDLE_MINUTES', '0', 'must be more than 0'],
  ['BRAND_NAME', 'x'.repeat(41), 'must have at most 40 characters'],
  ['ATRIUM_ROLE', 'boss', 'must be one of web, worker, all'],
  ['ATRIUM_PORT', '70000', 'must be 1 to 65535'],
  ['DATABASE_URL', 'mysql://localhost/atrium', 'must be a postgres:// address'],
  ...['secr/et@host/atrium', '12/34@host/atrium', '12?4@host/atrium', '12#4@host/atrium'].map((rest) => [
    'DATABASE_URL',
    `postgres://atrium:${rest}`,
    'must be like postgres://user:password@host:5432/database, with the password percent-encoded',
  ]),
])('%s=%s is refused: %s', (name, value, reason) => {
  const sentence = `The setting ${name} is not valid: ${reason}. See .env.example.`
  expect(() => readAccountConfig({ ...withoutCards, [name]: value })).toThrow(new ConfigError([sentence]))
})

test('a sign-on address that already ends with the path of the protocol is refused', () => {
  const given = { ...withoutCards, SSO_URL: 'https://login.example.com/cas', CAS_PATH: '/cas' }
  expect(() => readAccountConfig(given)).toThrow(
    'The setting SSO_URL ends with CAS_PATH (/cas), which is added to it. See .env.example.',
  )
})

test('what can be meant in one way only is taken', () => {
  const given = {
    CAS_PATH: '/cas/',
    PUBLIC_URL: 'http://localhost:3000/',
    DOWNLOAD_HOSTS: 'Files.example.com,[::1]:8443',
    INVOICE_HOSTS: 'none',
    TRUSTED_PROXIES: '127.0.0.1, ::1, 10.0.0.0/8, loopback',
  }
  expect(readAccountConfig({ DATABASE_URL: real.DATABASE_URL, ...given })).toMatchObject({
    CAS_PATH: '/cas',
    PUBLIC_URL: 'http://localhost:3000',
    DOWNLOAD_HOSTS: ['files.example.com', '[::1]:8443'],
    INVOICE_HOSTS: [],
    TRUSTED_PROXIES: ['127.0.0.1', '::1', '10.0.0.0/8', 'loopback'],
  })
})
