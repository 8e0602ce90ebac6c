import { customer } from '../customers/customers.writes.ts'
import type { Call } from '../requests/call.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { randomText } from '../wire/ids.rules.ts'
import { type GivenMethod, givenMethod } from './intents.parameters.ts'
import { nextAction, refuseForeignMethod } from './intents.rules.ts'

interface GivenCard extends GivenMethod {
  customer?: string | undefined
}

/** Applies a request's customer and card to an intent. With a card, it can be confirmed. */
export async function cardChange(
  call: Call,
  { object, hidden }: StoredOf<'setup_intent'> | StoredOf<'payment_intent'>,
  given: GivenCard,
) {
  const customerId = given.customer ?? idOf(object.customer)
  if (given.customer !== undefined) await customer(call.tx, given.customer, { param: 'customer' })
  const method = await givenMethod(call, given)
  if (!method) return { fields: { customer: customerId }, hidden }

  refuseForeignMethod({ method: method.object, isSpent: method.hidden.isSpent, customer: customerId })
  const status = 'requires_confirmation' as const
  return {
    fields: { customer: customerId, payment_method: method.object.id, next_action: null, status },
    hidden: { ...hidden, challenge: null },
  }
}

interface Asking {
  returnUrl: string | null
  usesSdk: boolean
}

/** The bank's question to the cardholder: the public part in the intent, and the internal part. */
export function newChallenge({ publicUrl }: Pick<Call, 'publicUrl'>, { returnUrl, usesSdk }: Asking) {
  const token = randomText(32)
  const url = `${publicUrl}/cards/authenticate/${token}`
  return {
    nextAction: nextAction({ url, returnUrl, token, usesSdk }),
    hidden: { returnUrl, challenge: { token, returnUrl: usesSdk ? null : returnUrl } },
  }
}
