import type { Buyer } from '../store/stored.ts'
import { newPayerId, payerIdOf } from '../wire/ids.rules.ts'
import type { Question } from './approval.queries.ts'

/** Who answers: the buyer, somebody with another account, or a guest who enters a card. */
export const payers = ['buyer', 'other', 'guest'] as const
export type Payer = (typeof payers)[number]

const [email, otherEmail] = ['buyer@personal.example.com', 'other@personal.example.com']

const buyer: Buyer = { email, givenName: 'Sandy', surname: 'Buyer', payerId: payerIdOf(email) }
const other: Buyer = { email: otherEmail, givenName: 'Olive', surname: 'Other', payerId: payerIdOf(otherEmail) }

/** Whose account pays: the same for each subscription and order, unless somebody else answers. */
export function buyerOf({ asked }: Question): Buyer {
  return (asked.kind === 'subscription' ? asked.subscription.buyer : asked.order.buyer) ?? buyer
}

/**
 * Who has answered. A subscription needs an account, and stays with the one that has approved it. A guest types any address; PayPal does
 * not document that guests are known again: here each one has another id.
 */
export function answererOf(question: Question, payer: Payer): Buyer {
  const { asked } = question
  const isBuyers = asked.kind === 'subscription' && (asked.subscription.buyer !== null || payer === 'guest')
  if (payer === 'buyer' || isBuyers) return buyerOf(question)
  return payer === 'other' ? other : { ...buyer, payerId: newPayerId(), isGuest: true }
}

/** What PayPal adds to the merchant's address. */
export function returnParameters(question: Question, isApproved: boolean): Record<string, string> {
  const { asked } = question
  if (asked.kind === 'order') {
    return { token: asked.order.id, ...(isApproved && { PayerID: buyerOf(question).payerId }) }
  }
  const token = asked.subscription.approval?.token ?? ''
  return { subscription_id: asked.subscription.id, ba_token: token, token: token.replace('BA-', '') }
}

/** Where the merchant wants the buyer after the answer; `undefined` if it did not say. */
export function returnAddress(question: Question, isApproved: boolean): string | undefined {
  const { returnUrl, cancelUrl } = question.context
  const base = isApproved ? returnUrl : cancelUrl
  if (base === null) return undefined
  const address = new URL(base)
  for (const [name, value] of Object.entries(returnParameters(question, isApproved))) {
    address.searchParams.set(name, value)
  }
  return address.href
}

/** Browsers check where a form redirects to. No script runs on the page. */
export function approvalPolicy({ returnUrl, cancelUrl }: Question['context']): string {
  const origins = [returnUrl, cancelUrl].flatMap((url) => (url === null ? [] : [new URL(url).origin]))
  return [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    `form-action 'self' ${[...new Set(origins)].join(' ')}`.trim(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The page after the answer in a popup, whose script tells the button. */
export const answeredPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
