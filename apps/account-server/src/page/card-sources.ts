import type { AccountConfig } from '../config.ts'

/** Origins that the card provider's browser SDK is loaded from, frames and asks. */
export interface CardSources {
  script: readonly string[]
  frame: readonly string[]
  connect: readonly string[]
}

/** What the provider's own guide to Content-Security-Policy asks for, beside the origin of the script. */
const stripeSources: CardSources = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
}

export function cardSources(config: Pick<AccountConfig, 'CARD_PROVIDER' | 'STRIPE_SCRIPT_URL'>): CardSources {
  if (config.CARD_PROVIDER === 'none') return { script: [], frame: [], connect: [] }
  const { origin, hostname } = new URL(config.STRIPE_SCRIPT_URL)
  if (hostname === 'js.stripe.com') return stripeSources
  return { script: [origin], frame: [origin], connect: [origin] }
}
