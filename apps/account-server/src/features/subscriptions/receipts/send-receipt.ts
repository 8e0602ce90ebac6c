import type { Deps } from '../../../deps.ts'
import type { StoredPaidCard } from '../../../outside/billed-invoice.ts'
import { ifKnown, ProviderFailure } from '../../../outside/provider-failure.ts'
import { sendEmail } from '../../mail/mail.writes.ts'
import type { OrderLine } from '../../orders/orders.tables.ts'
import { claimReceipt, type PaidOrder } from '../../orders/receipts.writes.ts'
import { declineAhead, forgetDeclines } from './declined-next.ts'
import { type OrderRow, paidOrder, productNameOf } from './receipt.queries.ts'
import { receiptEmail } from './receipt-email.ts'

type Needs = Pick<Deps, 'db' | 'clock' | 'config' | 'jobs' | 'logger'> & {
  cards: Pick<Deps['cards'], 'cardOfInvoice' | 'cards'>
}

/**
 * Emails the buyer what was paid, once for each order, however often the job runs. Who bought through a partner paid there, and gets
 * none.
 */
export async function sendReceipt(deps: Needs, paid: PaidOrder): Promise<void> {
  const { db, config } = deps
  const found = await paidOrder(db, paid.orderNumber)
  if (!found || found.isPriceHidden || found.order.receiptEmailedAt !== null) return
  const { order, member, subscribedCode } = found
  const codes = [...codesOf(order.lines), ...(subscribedCode === null ? [] : [subscribedCode])]
  const card = await cardOf(deps, paid, order)
  const declinedNext = await orWithout(deps, paid, () => declineAhead(deps, found, card))
  const written = receiptEmail({
    ...{ order, member, channel: paid.channel, card, declinedNext },
    productName: (await productNameOf(db, codes)) || config.BRAND_NAME,
    ...{ brandName: config.BRAND_NAME, brandColor: config.BRAND_COLOR, publicUrl: config.PUBLIC_URL },
  })
  const isDone = await db.transaction(async (tx) => {
    const memberId = member.id
    if (!(await claimReceipt(tx, { orderNumber: order.orderNumber, memberId }, deps.clock()))) return false
    if (card) await forgetDeclines(tx, { memberId, cardId: card.id, paidAt: paid.queuedAt })
    await sendEmail(deps, tx, { ...written, to: member.email })
    return true
  })
  // It was given to whose it is meanwhile.
  if (!isDone && (await paidOrder(db, paid.orderNumber))?.member.id !== member.id) await sendReceipt(deps, paid)
}

/** Products of the lines; first the one that cost most, which an upgrade is to. */
function codesOf(lines: readonly OrderLine[]): string[] {
  const bought = lines.filter(({ productCode, amount }) => productCode !== '' && (amount ?? 0) > 0)
  return bought.sort((one, other) => (other.amount ?? 0) - (one.amount ?? 0)).map(({ productCode }) => productCode)
}

/** So long a receipt waits for the provider; then it goes without the card. */
const cardTimeoutMs = 3_600_000

async function cardOf(deps: Needs, paid: PaidOrder, { providerId }: OrderRow): Promise<StoredPaidCard | undefined> {
  if (paid.channel !== 'card') return undefined
  return orWithout(deps, paid, () => ifKnown(deps.cards.cardOfInvoice(providerId)))
}

/** @throws ProviderFailure while the provider does not answer, so that the job is tried again */
async function orWithout<Known>(
  { clock, logger }: Needs,
  { queuedAt, orderNumber }: PaidOrder,
  read: () => Promise<Known | undefined>,
): Promise<Known | undefined> {
  try {
    return await read()
  } catch (error) {
    const isLate = clock().getTime() - Date.parse(queuedAt) > cardTimeoutMs
    if (!(error instanceof ProviderFailure) || !isLate) throw error
    logger.warn({ err: error, orderNumber }, 'a receipt without what the card provider knows of its card')
    return undefined
  }
}
