import { IntegrationError } from './integration-error.ts'

/** Address of the script, only available during its first run. The frames are beside it. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''

/** The base address of the provider's frames. @throws IntegrationError if this was not loaded by a script element */
export function home(): URL {
  const address = URL.parse('.', script)
  if (!address) throw new IntegrationError('Stripe.js must be loaded by a script element with its address.')
  return address
}
