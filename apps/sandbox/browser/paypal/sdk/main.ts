import { newButtons } from './buttons.ts'
import { parameters } from './parameters.ts'

const isPaypal = (source: unknown) => source === 'paypal'

/** The global object. A later script replaces it, since its address may have other parameters. */
const paypal = {
  version: '5.0.0',
  FUNDING: { PAYPAL: 'paypal', CARD: 'card', PAYLATER: 'paylater', VENMO: 'venmo', CREDIT: 'credit' },
  getFundingSources: () => ['paypal'],
  isFundingEligible: isPaypal,
  ...(parameters.components.includes('buttons') && { Buttons: newButtons }),
}

Object.assign(window, { [parameters.namespace]: paypal })
