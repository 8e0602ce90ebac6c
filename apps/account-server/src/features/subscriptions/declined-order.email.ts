import { serverTexts } from '@atrium/locales/server-texts.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Email } from '@atrium/server-kit/mail.ts'
import { eq } from 'drizzle-orm'
import { isRecent } from '../../db/calendar.rules.ts'
import { members } from '../../db/members.tables.ts'
import type { Deps } from '../../deps.ts'
import { products } from '../catalog/catalog.tables.ts'
import { framedEmail } from '../mail/framed-email.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { orderLineParts } from '../orders/line-words.rules.ts'
import { orders } from '../orders/orders.tables.ts'
import { whyDeclined } from './due-notes.ts'
import type { DeclinedOrder } from './due-orders.writes.ts'
import { emailFormats } from './email-formats.ts'
import { subscriptions } from './subscriptions.tables.ts'

type Needs = Pick<Deps, 'clock' | 'config' | 'jobs'>

/**
 * Tells the Owner that an order beside the periods was declined, in the transaction that notices it: the subscription goes on for now, and
 * the provider ends it once the retries have run out.
 */
export async function emailDeclinedOrder(deps: Needs, tx: Tx, { orderNumber, subscriptionId, date }: DeclinedOrder) {
  // What is found late, such as by an upgrade, has been tried for the last time.
  if (!isRecent(date, deps.clock())) return
  const [found] = await tx
    .select({ order: orders, product: products.name, member: members })
    .from(orders)
    .innerJoin(subscriptions, eq(subscriptions.id, subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .innerJoin(members, eq(members.id, subscriptions.memberId))
    .where(eq(orders.orderNumber, orderNumber))
  if (found) await sendEmail(deps, tx, written(deps.config, found))
}

interface Declined {
  order: typeof orders.$inferSelect
  /** Name of the subscription's. */
  product: string
  member: typeof members.$inferSelect
}

function written(config: Deps['config'], { order, product, member }: Declined): Omit<Email, 'messageId'> {
  const { code, locale, money } = emailFormats(member.locale)
  const t = serverTexts(locale.folder, 'account-mail')
  const [line] = order.lines
  const item = line ? orderLineParts(line, code).name : order.orderNumber
  const values = { item, product, amount: money(order.amount, order.currency) }
  const { lastDecline: decline } = order
  return framedEmail(config, member, {
    subject: t('subscription.declinedOrder.subject', values),
    paragraphs: [
      t('subscription.declinedOrder.body', values),
      ...(decline ? [whyDeclined(decline, code).join(' ')] : []),
      t('subscription.declinedOrder.note', values),
    ],
    button: { label: t('subscription.open'), tab: 'my-subscriptions' },
  })
}
