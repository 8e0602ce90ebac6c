import { isPublic, isSet } from '@atrium/server-kit/config.ts'
import { type Fault, faultSentences, ownAddressFaults, publicFaults } from '@atrium/server-kit/public-install.ts'

/** The sandbox's webhook secret, which is public. */
export const sandboxSecret = 'whsec_sandboxsandboxsandbox'

/** Settings that are validated together. */
interface Settings {
  PUBLIC_URL?: string | undefined
  SSO_URL: string
  CAS_PATH: string
  SITE_URL: string
  FEEDBACK_URL: string
  TICKETS_URL: string
  ADMIN_CONSOLE_URL: string
  EVENT_URLS: string[]
  EVENT_SECRET?: string | undefined
  BUSINESS_CLOCK: 'real' | 'movable'
  CARD_PROVIDER: 'stripe' | 'none'
  STRIPE_SECRET_KEY: string
  STRIPE_PUBLISHABLE_KEY: string
  STRIPE_WEBHOOK_SECRETS: string[]
  STRIPE_API_URL: string
  STRIPE_SCRIPT_URL: string
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

/** Faults of settings that are valid one by one: a sentence per setting. */
export function configFaults(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  // Missing settings first: other faults would be about their defaults.
  return faultSentences([
    ...productionFaults(settings, env),
    ...signOnFaults(settings),
    ...clockFaults(settings, env),
    ...eventFaults(settings),
    ...cardFaults(settings, env),
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

/** With a public address, customers cannot be sent to this machine, and emails must not stay on it. */
function productionFaults(settings: Settings, env: NodeJS.ProcessEnv): Fault[] {
  if (!settings.PUBLIC_URL) return ownAddressFaults(env, 'PUBLIC_URL', 'SSO_URL')
  if (!isPublic(settings.PUBLIC_URL)) return []
  const { SSO_URL, SITE_URL, FEEDBACK_URL, TICKETS_URL, ADMIN_CONSOLE_URL, EVENT_URLS } = settings
  const { STRIPE_API_URL, STRIPE_SCRIPT_URL } = settings
  const hasCards = settings.CARD_PROVIDER !== 'none'
  return [
    ...publicFaults(env, {
      own: 'PUBLIC_URL',
      vendor: [...vendorSettings, ...(hasCards ? cardSettings : [])],
      addresses: {
        ...{ SSO_URL, SITE_URL, FEEDBACK_URL, TICKETS_URL, ADMIN_CONSOLE_URL, EVENT_URLS },
        ...(hasCards ? { STRIPE_API_URL, STRIPE_SCRIPT_URL } : {}),
      },
      names: Object.keys(settings).filter((name) => hasCards || !name.startsWith('STRIPE_')),
    }),
    ...(hasCards && settings.STRIPE_WEBHOOK_SECRETS.includes(sandboxSecret)
      ? [['STRIPE_WEBHOOK_SECRETS', 'is the sandbox’s, which everybody knows'] as const]
      : []),
  ]
}
