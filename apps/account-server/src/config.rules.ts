import { isOnThisMachine, isPublic, isSet } from '@atrium/server-kit/config.ts'
import { type Fault, faultSentences, ownAddressFaults, publicFaults } from '@atrium/server-kit/public-install.ts'

/** The sandbox's webhook secret, which is public. */
export const sandboxSecret = 'whsec_sandboxsandboxsandbox'

/** The id of the webhook that the start of the stack makes at the sandbox's PayPal. */
export const sandboxWebhookId = 'SANDBOXWEBHOOK017'

/** Settings that are validated together. */
interface Settings {
  PUBLIC_URL?: string | undefined
  SSO_URL: string
  CAS_PATH: string
  SITE_URL: string
  FEEDBACK_URL: string
  TICKETS_URL: string
  ADMIN_CONSOLE_URL: string
  CLOUD_URL_US?: string | undefined
  CLOUD_URL_EU?: string | undefined
  CLOUD_URL_CA?: string | undefined
  CLOUD_URL_AU?: string | undefined
  EVENT_URLS: string[]
  EVENT_SECRET?: string | undefined
  BUSINESS_CLOCK: 'real' | 'movable'
  CARD_PROVIDER: 'stripe' | 'none'
  STRIPE_SECRET_KEY: string
  STRIPE_PUBLISHABLE_KEY: string
  STRIPE_WEBHOOK_SECRETS: string[]
  STRIPE_API_URL: string
  STRIPE_SCRIPT_URL: string
  PAYPAL: 'on' | 'none'
  PAYPAL_API_URL: string
  PAYPAL_ROOTS: string
}

/** Settings whose defaults are the demo vendor's, which customers of another vendor must never see. */
export const vendorSettings = [
  'SSO_URL',
  'SITE_URL',
  'FEEDBACK_URL',
  'TICKETS_URL',
  'ADMIN_CONSOLE_URL',
  'DOWNLOAD_HOSTS',
  'SMTP_URL',
  'MAIL_FROM',
  'SALES_EMAIL',
  'SELLER_NAME',
  'SELLER_ADDRESS',
  'BRAND_NAME',
] as const

/** The same for the sandbox in place of a card provider. */
export const cardSettings = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'STRIPE_API_URL',
  'STRIPE_SCRIPT_URL',
] as const

/** The same for the sandbox in place of PayPal. */
export const paypalSettings = [
  'PAYPAL_CLIENT_ID',
  'PAYPAL_CLIENT_SECRET',
  'PAYPAL_API_URL',
  'PAYPAL_WEBHOOK_ID',
  'PAYPAL_ROOTS',
] as const

/** Faults of settings that are valid one by one: a sentence per setting. */
export function configFaults(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  // Missing settings first: other faults would be about their defaults.
  return faultSentences([
    ...productionFaults(settings, env),
    ...signOnFaults(settings),
    ...clockFaults(settings, env),
    ...eventFaults(settings),
    ...cardFaults(settings, env),
    ...paypalFaults(settings, env),
  ])
}

/** The path is added to the address: written in both, sign-on would be at `/cas/cas/login`. */
function signOnFaults({ SSO_URL: address, CAS_PATH: path }: Settings): Fault[] {
  return path !== '' && address.endsWith(path)
    ? [['SSO_URL', `ends with CAS_PATH (${path}), which is added to it`]]
    : []
}

/** Everybody who reaches a movable clock can move it. */
function clockFaults({ BUSINESS_CLOCK: kind, PUBLIC_URL: own }: Settings, env: NodeJS.ProcessEnv): Fault[] {
  const isTrial = !(own && isPublic(own)) && env.NODE_ENV !== 'production'
  return kind === 'real' || isTrial ? [] : [['BUSINESS_CLOCK', 'is movable, which is for a trial on one machine']]
}

function eventFaults({ EVENT_URLS, EVENT_SECRET }: Settings): Fault[] {
  return EVENT_URLS.length > 0 && !EVENT_SECRET ? [['EVENT_SECRET', 'is not set, but is needed with EVENT_URLS']] : []
}

/** With a live key, all settings of the card provider must be real. */
function cardFaults(settings: Settings, env: NodeJS.ProcessEnv): Fault[] {
  if (settings.CARD_PROVIDER === 'none') return []
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_PUBLISHABLE_KEY: publishableKey } = settings
  const { STRIPE_WEBHOOK_SECRETS: secrets, STRIPE_API_URL: api, STRIPE_SCRIPT_URL: script } = settings
  const isLive = secretKey.includes('_live_')
  if (publishableKey.includes('_live_') && !isSet(env, 'STRIPE_SECRET_KEY')) {
    return [['STRIPE_SECRET_KEY', 'is not set, but is needed with STRIPE_PUBLISHABLE_KEY']]
  }
  const names = [
    ...(isLive === publishableKey.includes('_live_') ? [] : ['STRIPE_PUBLISHABLE_KEY']),
    ...(secrets.length > 0 && !(isLive && secrets.includes(sandboxSecret)) ? [] : ['STRIPE_WEBHOOK_SECRETS']),
    ...(isLive && !api.startsWith('https:') ? ['STRIPE_API_URL'] : []),
    ...(isLive && !script.startsWith('https:') ? ['STRIPE_SCRIPT_URL'] : []),
  ]
  return names.map((name) => [
    name,
    isSet(env, name) ? 'does not go with STRIPE_SECRET_KEY' : 'is not set, but is needed with STRIPE_SECRET_KEY',
  ])
}

/** Events of the real PayPal must lead to roots that everybody trusts, and of the sandbox to its own. */
function paypalFaults({ PAYPAL, PAYPAL_API_URL: api, PAYPAL_ROOTS: roots }: Settings, env: NodeJS.ProcessEnv): Fault[] {
  if (PAYPAL === 'none' || isOnThisMachine(api)) return []
  return [
    ...(api.startsWith('https:')
      ? []
      : [['PAYPAL_API_URL', 'must be an https address, unless it is on this machine'] as const]),
    ...paypalSettings
      .filter((name) => !isSet(env, name))
      .map((name) => [name, 'is not set, but is needed with PAYPAL_API_URL'] as const),
    ...(/^https?:/.test(roots) ? [['PAYPAL_ROOTS', 'must be system or a file, except for the sandbox'] as const] : []),
  ]
}

/** The cloud services that are set. */
function cloudAddresses({ CLOUD_URL_US, CLOUD_URL_EU, CLOUD_URL_CA, CLOUD_URL_AU }: Settings): Record<string, string> {
  const addresses = Object.entries({ CLOUD_URL_US, CLOUD_URL_EU, CLOUD_URL_CA, CLOUD_URL_AU })
  return Object.fromEntries(addresses.flatMap(([name, address]) => (address ? [[name, address]] : [])))
}

/** With a public address, customers cannot be sent to this machine, and emails must not stay on it. */
function productionFaults(settings: Settings, env: NodeJS.ProcessEnv): Fault[] {
  if (!settings.PUBLIC_URL) return ownAddressFaults(env, 'PUBLIC_URL', 'SSO_URL')
  if (!isPublic(settings.PUBLIC_URL)) return []
  const { SSO_URL, SITE_URL, FEEDBACK_URL, TICKETS_URL, ADMIN_CONSOLE_URL, EVENT_URLS } = settings
  const { STRIPE_API_URL, STRIPE_SCRIPT_URL, PAYPAL_API_URL } = settings
  const [hasCards, hasPaypal] = [settings.CARD_PROVIDER !== 'none', settings.PAYPAL !== 'none']
  return [
    ...publicFaults(env, {
      own: 'PUBLIC_URL',
      vendor: [...vendorSettings, ...(hasCards ? cardSettings : []), ...(hasPaypal ? paypalSettings : [])],
      addresses: {
        ...{ SSO_URL, SITE_URL, FEEDBACK_URL, TICKETS_URL, ADMIN_CONSOLE_URL, EVENT_URLS },
        ...cloudAddresses(settings),
        ...(hasCards ? { STRIPE_API_URL, STRIPE_SCRIPT_URL } : {}),
        ...(hasPaypal ? { PAYPAL_API_URL } : {}),
      },
      names: Object.keys(settings).filter(
        (name) => (hasCards || !name.startsWith('STRIPE_')) && (hasPaypal || !name.startsWith('PAYPAL_')),
      ),
    }),
    ...(hasCards && settings.STRIPE_WEBHOOK_SECRETS.includes(sandboxSecret)
      ? [['STRIPE_WEBHOOK_SECRETS', 'is the sandbox’s, which everybody knows'] as const]
      : []),
  ]
}
