import type { AccountConfig } from '../config.ts'

/** Origins for the card provider's browser SDK: scripts, frames and requests. */
export interface CardSources {
  script: readonly string[]
  frame: readonly string[]
  connect: readonly string[]
}

/** From the provider's guide to Content-Security-Policy, plus the origin of the script. */
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
