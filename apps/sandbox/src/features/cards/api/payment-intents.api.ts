import { confirmedByBrowsers } from '../intents/intents.parameters.ts'
import { isOpen, noSuchIntent, refuseForeignSecret, unexpectedState } from '../intents/intents.rules.ts'
import { cancelOwnPayment, lockBilledCustomer } from '../payment-intents/invoiced-payments.ts'
import {
  confirmingParameters,
  createPayment,
  details,
  makingParameters,
  updatePayment,
  withChange,
} from '../payment-intents/payment-intents.changes.ts'
import { paymentForBrowsers, refuseServersConfirmation } from '../payment-intents/payment-intents.rules.ts'
import { answerPayment, confirmPayment, type StoredPayment } from '../payment-intents/payment-intents.writes.ts'
import type { Api } from '../requests/api.ts'
import type { Call } from '../requests/call.ts'
import { serveList } from '../requests/resource.ts'
import { byCreated, byCustomer } from '../store/filters.ts'
import { find, findLocked } from '../store/store.ts'
import { oneOf } from '../wire/parameters.rules.ts'
import { serveIntents } from './intents.api.ts'

const reasons = ['abandoned', 'duplicate', 'fraudulent', 'requested_by_customer'] as const

export function paymentIntentsApi(api: Api): void {
  serveIntents(api, {
    path: '/payment_intents',
    find: paymentIntent,
    answer: answerPayment,
    forBrowsers: paymentForBrowsers,
  })
  storedPayments(api)
  paymentActions(api)
}

function storedPayments(api: Api): void {
  api.serve({ method: 'POST', path: '/payment_intents', takes: makingParameters, run: createPayment })

  api.serve({
    method: 'POST',
    path: '/payment_intents/:id',
    takes: details,
    run: async (call, given, { id }) => updatePayment(call, await paymentIntent(call, id), given),
  })

  serveList(api, {
    kind: 'payment_intent',
    path: '/payment_intents',
    filters: { created: byCreated, customer: byCustomer },
  })
}

function paymentActions(api: Api): void {
  api.serve({
    method: 'POST',
    path: '/payment_intents/:id/confirm',
    takes: confirmingParameters,
    forBrowsers: [...confirmedByBrowsers, 'receipt_email', 'setup_future_usage', 'shipping'],
    async run(call, given, { id }) {
      const stored = await paymentIntent(call, id)
      refuseForeignSecret(stored.object, call.access, given.client_secret)
      if (!isOpen(stored.object)) throw unexpectedState(stored.object, 'confirm')
      if (call.access === 'publishable') refuseServersConfirmation(stored.object, given)
      const result = await confirmPayment(call, await withChange(call, stored, given), given)
      return call.access === 'secret' ? result : paymentForBrowsers((await paymentIntent(call, id)).object, result)
    },
  })

  api.serve({
    method: 'POST',
    path: '/payment_intents/:id/cancel',
    takes: { cancellation_reason: oneOf(reasons).optional() },
    run: async (call, { cancellation_reason: reason }, { id }) =>
      cancelOwnPayment(call, await paymentIntent(call, id), reason ?? null),
  })
}

/** Locks it; that of an invoice after its customer, in the order of everything of billing. */
async function paymentIntent(call: Call, id: string): Promise<StoredPayment> {
  await lockBilledCustomer(call.tx, await find(call.tx, 'payment_intent', id))
  const found = await findLocked(call.tx, 'payment_intent', id)
  if (!found) throw noSuchIntent('payment', id)
  return found
}
