import type { Answer, ToButton } from '../wire/messages.ts'
import type { ButtonsOptions } from './options.ts'
import { parameters } from './parameters.ts'

interface Checkout {
  /** Of the order, or the subscription. */
  id: string
  subject: 'token' | 'subscription_id'
}

/** What happens from a click to the merchant's handlers; one checkout at a time. */
export function newCheckout(options: ButtonsOptions, post: (message: ToButton) => void) {
  let current: Checkout | undefined

  const fail = (error: unknown) => {
    current = undefined
    post({ kind: 'dismiss' })
    if (options.onError) options.onError(error)
    else reportError(error)
  }

  return {
    /** The button was clicked, and has opened a popup unless the browser blocked it. */
    async begin(isBlocked: boolean): Promise<void> {
      try {
        if (!(await isWanted(options))) {
          post({ kind: 'dismiss' })
          return
        }
        current = await create(options)
        const { subject, id } = current
        if (isBlocked) location.assign(approvalAddress(current))
        else post({ kind: 'ask', subject, id })
      } catch (error) {
        fail(error)
      }
    },
    async finish(answer: Answer): Promise<void> {
      if (answer.kind === 'canceled') return this.cancel()
      const checkout = current
      current = undefined
      if (!checkout) return
      try {
        await options.onApprove?.(approvedData(checkout, answer), approvedActions(checkout))
      } catch (error) {
        fail(error)
      }
    },
    cancel(): void {
      const checkout = current
      current = undefined
      if (!checkout) return
      const data = checkout.subject === 'token' ? { orderID: checkout.id } : { subscriptionID: checkout.id }
      options.onCancel?.(data, { redirect: (url: string) => location.assign(url) })
    },
    fail,
  }
}

/** @returns false if the merchant's `onClick` rejects the click */
async function isWanted({ onClick }: ButtonsOptions): Promise<boolean> {
  let isRejected = false
  const actions = {
    resolve: async () => undefined,
    reject: async () => {
      isRejected = true
    },
  }
  await onClick?.({ fundingSource: 'paypal' }, actions)
  return !isRejected
}

async function create({ createOrder, createSubscription }: ButtonsOptions): Promise<Checkout> {
  // With these the real SDK creates objects in the browser; here only the merchant's server does.
  const refuse = async () => {
    throw new Error('The sandbox creates orders and subscriptions for servers only.')
  }
  const data = { paymentSource: 'paypal' }
  const id = createSubscription
    ? await createSubscription(data, { subscription: { create: refuse, revise: refuse } })
    : await createOrder?.(data, { order: { create: refuse } })
  if (typeof id !== 'string' || id === '') {
    throw new Error(`Expected a promise for a ${createSubscription ? 'subscription' : 'order'} id to be returned.`)
  }
  return { id, subject: createSubscription ? 'subscription_id' : 'token' }
}

function approvalAddress({ subject, id }: Checkout): string {
  return `${parameters.origin}/paypal/approve?${subject}=${encodeURIComponent(id)}`
}

/** What `onApprove` is told. */
function approvedData({ subject, id }: Checkout, answer: Answer) {
  const shared = { payerID: answer.payerId, paymentSource: 'paypal', facilitatorAccessToken: '' }
  return subject === 'token'
    ? { ...shared, orderID: id, paymentID: null, billingToken: null, subscriptionID: null }
    : { ...shared, orderID: answer.token, billingToken: answer.ba_token ?? null, subscriptionID: id }
}

function approvedActions(checkout: Checkout) {
  return {
    redirect: (url: string) => location.assign(url),
    /** The buyer chooses another payment method, in this window: a popup needs a click. */
    restart: () => location.assign(approvalAddress(checkout)),
  }
}
