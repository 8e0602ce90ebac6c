import type { AccountConfig } from '../config.ts'
import { isPaypal, paypalSdkUrl } from '../outside/paypal/sdk-url.ts'

/** Origins for the providers' browser SDKs: scripts, frames, requests and images. */
export interface ProviderSources {
  script: readonly string[]
  frame: readonly string[]
  connect: readonly string[]
  image: readonly string[]
}

const none: ProviderSources = { script: [], frame: [], connect: [], image: [] }

/** From the provider's guide to Content-Security-Policy, plus the origin of the script. */
const stripeSources: ProviderSources = {
  script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connect: ['https://api.stripe.com'],
  image: [],
}

/** From PayPal's guide to Content-Security-Policy. */
const paypalSources: ProviderSources = {
  script: ['https://*.paypal.com'],
  frame: ['https://*.paypal.com'],
  connect: ['https://*.paypal.com'],
  image: ['https://*.paypalobjects.com', 'https://*.paypal.com'],
}

type Config = Pick<AccountConfig, 'CARD_PROVIDER' | 'STRIPE_SCRIPT_URL' | 'PAYPAL' | 'PAYPAL_API_URL'>

/** What the page may load from the providers that the vendor has. */
export function providerSources(config: Config): ProviderSources {
  const all = [cardSources(config), ofPaypal(config)]
  const distinct = (name: keyof ProviderSources) => [...new Set(all.flatMap((sources) => sources[name]))]
  return {
    script: distinct('script'),
    frame: distinct('frame'),
    connect: distinct('connect'),
    image: distinct('image'),
  }
}

function cardSources({ CARD_PROVIDER, STRIPE_SCRIPT_URL }: Config): ProviderSources {
  if (CARD_PROVIDER === 'none') return none
  const { origin, hostname } = new URL(STRIPE_SCRIPT_URL)
  return hostname === 'js.stripe.com' ? stripeSources : allOf(origin)
}

function ofPaypal({ PAYPAL, PAYPAL_API_URL }: Config): ProviderSources {
  if (PAYPAL === 'none') return none
  return isPaypal(PAYPAL_API_URL) ? paypalSources : allOf(new URL(paypalSdkUrl(PAYPAL_API_URL)).origin)
}

function allOf(origin: string): ProviderSources {
  return { ...none, script: [origin], frame: [origin], connect: [origin] }
}
