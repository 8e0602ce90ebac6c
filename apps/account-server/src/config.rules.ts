import { isPublic, isSet } from '@atrium/server-kit/config.ts'
import { type Fault, faultSentences, ownAddressFaults, publicFaults } from '@atrium/server-kit/public-install.ts'

/** Signs the events of the stand-in; everybody knows it. */
export const sandboxSecret = 'whsec_sandboxsandboxsandbox'

/** Those of the settings that are right or wrong together. */
interface Settings {
  PUBLIC_URL?: string | undefined
  SSO_URL: string
  SITE_URL: string
  FEEDBACK_URL: string
  TICKETS_URL: string
  ADMIN_CONSOLE_URL: string
  EVENT_URLS: string[]
  EVENT_SECRET?: string | undefined
  CARD_PROVIDER: 'stripe' | 'none'
  STRIPE_SECRET_KEY: string
  STRIPE_PUBLISHABLE_KEY: string
  STRIPE_WEBHOOK_SECRETS: string[]
  STRIPE_API_URL: string
  STRIPE_SCRIPT_URL: string
}

/** Their defaults are the demo vendor's: customers must never see, or be sent to, those of another one. */
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

/** The same, of the sandbox that stands in for a card provider. */
export const cardSettings = [
  'STRIPE_SECRET_KEY',
  'STRIPE_PUBLISHABLE_KEY',
  'STRIPE_WEBHOOK_SECRETS',
  'STRIPE_API_URL',
  'STRIPE_SCRIPT_URL',
] as const

/** What settings lack that are right one by one: a sentence a setting. */
export function configFaults(settings: Settings, env: NodeJS.ProcessEnv): string[] {
  // What is not set comes first: everything else said of it would blame its default.
  return faultSentences([...productionFaults(settings, env), ...eventFaults(settings), ...cardFaults(settings, env)])
}

function eventFaults({ EVENT_URLS, EVENT_SECRET }: Settings): Fault[] {
  return EVENT_URLS.length > 0 && !EVENT_SECRET ? [['EVENT_SECRET', 'is not set, but is needed with EVENT_URLS']] : []
}

/** With a live key, everything else about the card provider must be real as well. */
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

/** Customers who come by a public address cannot be sent to this machine, and mail must leave it. */
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
