import type { PurchaseReply } from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { changeQuotes } from './change-quotes.tables.ts'

/** How the payment of a purchase stands; everything else of the reply is what its quote showed. */
type Payment = Pick<PurchaseReply, 'payType' | 'paymentIntentStatus' | 'clientSecret'> &
  Partial<Pick<PurchaseReply, 'paypalOrderId' | 'approveUrl' | 'approveLink'>>

/** The reply to a purchase (001 §3). @param quoteId of the quote that was used */
export async function purchaseReply({ db }: Deps, quoteId: string, payment: Payment): Promise<PurchaseReply> {
  const [quote] = await db.select().from(changeQuotes).where(eq(changeQuotes.id, quoteId))
  if (!quote) throw new Error('the quote of a purchase is gone')
  const { shown, asked } = quote
  const { discount, subAmount, taxAmount, chargeAmount, currency, before, after, nextRenewal } = shown
  const { creditUsed, owedBefore, movedToNext, creditAdded } = shown
  const isMore = asked.type === 'buy-more' || asked.type === 'buy-connector'
  return {
    ...{ paypalOrderId: '', approveUrl: '', approveLink: '', ...payment },
    ...{ discount, subAmount, taxAmount, chargeAmount, currency, nextRenewal },
    ...{ creditUsed, owedBefore, movedToNext, creditAdded },
    type: asked.type,
    price: after.price,
    originAppCode: before.appCode,
    appCode: after.appCode,
    appName: after.appName,
    increasedNumber: isMore ? asked.increasingNumber : 0,
  }
}
