import { IntegrationError } from './integration-error.ts'

/** Address of the script, as long as it runs for the first time: the frames live beside it. */
const script = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : ''

/** Where the provider's frames come from. @throws IntegrationError when the script was not loaded as one */
export function home(): URL {
  const address = URL.parse('.', script)
  if (!address) throw new IntegrationError('Stripe.js must be loaded by a script element with its address.')
  return address
}
