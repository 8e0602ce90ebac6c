import type Stripe from 'stripe'
import { type Decline, ProviderFailure } from '../provider-failure.ts'
import { callProvider, declineFrom } from './failure.ts'

/** A setup intent: a card that is being put on file. */
export interface Setup {
  id: string
  status: Stripe.SetupIntent.Status
  /** Only for the provider's browser SDK. */
  secret: string
  paymentMethodId: string | undefined
  /** The id of our operation. */
  operationId: string | undefined
  /** Why the last attempt failed. */
  decline: Decline
}

interface NewSetup {
  customerId: string
  paymentMethodId: string
  /** Used as idempotency key, and to recognize the setup later. */
  operationId: string
}

/** Setup intents of the card provider. */
export function setupCalls(stripe: Stripe) {
  const readSetup = async (id: string) => setupFrom(await callProvider(() => stripe.setupIntents.retrieve(id)))

  return {
    readSetup,

    /** Puts a payment method on file: immediately, or after the bank's authentication. A refused card has a setup too. */
    async createSetup({ customerId, paymentMethodId, operationId }: NewSetup): Promise<Setup> {
      const wanted = {
        customer: customerId,
        payment_method: paymentMethodId,
        confirm: true,
        usage: 'off_session',
        use_stripe_sdk: true,
        // Only cards are supported here, whatever the vendor has enabled.
        allowed_payment_method_types: ['card'],
        metadata: { operationId },
      } satisfies Stripe.SetupIntentCreateParams
      const create = () => stripe.setupIntents.create(wanted, { idempotencyKey: operationId })
      return setupFrom(await callProvider<Stripe.SetupIntent>(create, (error) => error.setup_intent))
    },

    /** The setup of an operation whose answer was lost. */
    async findSetup(customerId: string, operationId: string): Promise<Setup | undefined> {
      const { data } = await callProvider(() => stripe.setupIntents.list({ customer: customerId, limit: 100 }))
      const found = data.find(({ metadata }) => operationIn(metadata) === operationId)
      return found && setupFrom(found)
    },

    /** How many cards were declined with one setup. A failed or canceled authentication is not a decline. */
    async declinesOf(id: string): Promise<number> {
      const { data } = await callProvider(() => stripe.setupAttempts.list({ setup_intent: id, limit: 100 }))
      const isDeclined = ({ status, setup_error: error }: Stripe.SetupAttempt) =>
        status === 'failed' && error?.code !== 'setup_intent_authentication_failure'
      return data.filter(isDeclined).length
    },

    /** Cancels a setup that is still open; one that has ended stays as it is. */
    async cancelSetup(id: string): Promise<Setup> {
      try {
        return setupFrom(await callProvider(() => stripe.setupIntents.cancel(id)))
      } catch (error) {
        const isEnded = error instanceof ProviderFailure && error.code === 'setup_intent_unexpected_state'
        if (isEnded) return readSetup(id)
        throw error
      }
    },
  }
}

/** Also under its former name, `attemptId`. */
function operationIn(metadata: Stripe.Metadata | null): string | undefined {
  return metadata?.operationId ?? metadata?.attemptId
}

function setupFrom(intent: Stripe.SetupIntent): Setup {
  const { last_setup_error: error, payment_method: reference } = intent
  return {
    id: intent.id,
    status: intent.status,
    secret: intent.client_secret ?? '',
    paymentMethodId: typeof reference === 'string' ? reference : reference?.id,
    operationId: operationIn(intent.metadata),
    decline: declineFrom(error),
  }
}
