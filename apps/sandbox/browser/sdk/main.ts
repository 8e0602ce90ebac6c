import type { StripeConstructorOptions } from '@stripe/stripe-js'
import { release } from '../release.ts'
import { home } from './home.ts'
import { newStripe } from './stripe.ts'

// An address that is none is better known at once than with the first element.
home()

function Stripe(key: unknown, options?: StripeConstructorOptions) {
  return newStripe(key, options)
}

// The script may be in the page twice: the first one stays, as its objects do.
if (window.Stripe === undefined) Object.assign(window, { Stripe: Object.assign(Stripe, { version: release }) })
