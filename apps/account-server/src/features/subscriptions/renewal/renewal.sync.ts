import { z } from 'zod'
import type { Deps } from '../../../deps.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { operationById, operationOfObject } from '../../payments/operations/operations.queries.ts'
import type { OperationRow } from '../../payments/operations/operations.tables.ts'
import { resolveOperation } from '../../payments/operations/perform-operation.ts'
import { movedObjectOf } from '../moving/moving.queries.ts'
import { syncInvoiceOfSubscription, syncRefundOfOrders, syncSubscription } from '../subscriptions.sync.ts'
import { renewTerm } from './renewal.operations.ts'
import { followRenewal } from './take-back-renewal.ts'

/** Applies an invoice. One without a subscription at the provider may be the payment of a renewal. */
export async function syncCardInvoice(deps: Deps, id: string): Promise<void> {
  const subscriptionId = await syncInvoiceOfSubscription(deps, id)
  if (subscriptionId === '') await syncRenewal(deps, id)
}

/** Applies what was given back, to the order and to what had been paid with it: the year of a renewal, or what was transferred. */
export async function syncCardRefund(deps: Deps, id: string): Promise<void> {
  for (const invoiceId of await syncRefundOfOrders(deps, id)) {
    // One that was not made, since all of it had been given back, is, once that has failed.
    await syncRenewal(deps, invoiceId)
    await followRenewal(deps, invoiceId)
    const moved = await movedObjectOf(deps.db, invoiceId)
    if (moved) await syncSubscription(deps, moved)
  }
}

/** Resolves the renewal that an invoice pays, whoever runs it. What is not paid is left to who runs it, or to the reconciler. */
async function syncRenewal(deps: Deps, invoiceId: string): Promise<void> {
  const row = (await operationOfObject(deps.db, renewTerm.kind, invoiceId)) ?? (await madeBy(deps, invoiceId))
  // A failed renewal may have been paid after all.
  if (!row || (row.resolvedAt !== null && row.status !== 'failed')) return
  const payment = await ifKnown(deps.cards.readPrepaid(invoiceId))
  if (payment?.state === 'paid') await resolveOperation(deps, renewTerm, { row, found: { payment } })
}

async function madeBy({ db, cards }: Deps, invoiceId: string): Promise<OperationRow | undefined> {
  const id = z.uuid().safeParse(await ifKnown(cards.operationOfInvoice(invoiceId))).data
  const row = id && (await operationById(db, id))
  return row && row.kind === renewTerm.kind ? row : undefined
}
