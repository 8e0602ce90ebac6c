import type { StripeConstructorOptions } from '@stripe/stripe-js'
import { release } from '../release.ts'
import { home } from './home.ts'
import { newStripe } from './stripe.ts'

// Fail early if the address is unknown, rather than with the first element.
home()

function Stripe(key: unknown, options?: StripeConstructorOptions) {
  return newStripe(key, options)
}

// If the script is in the page twice, the first one stays in use, and so do its objects.
if (window.Stripe === undefined) Object.assign(window, { Stripe: Object.assign(Stripe, { version: release }) })
