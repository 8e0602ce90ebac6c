import { approveOrder } from '../orders/orders.writes.ts'
import { approveSubscription } from '../subscriptions/revisions.writes.ts'
import type { Call } from '../wire/call.ts'
import type { Question } from './approval.queries.ts'
import { buyerOf } from './approval.rules.ts'

/** The buyer approves what is asked. @param hasFunds whether their charges will succeed */
export async function approve(call: Call, question: Question, hasFunds: boolean): Promise<void> {
  const answer = { buyer: buyerOf(question), hasFunds }
  const { asked } = question
  if (asked.kind === 'order') await approveOrder(call, asked.order, answer)
  else await approveSubscription(call, asked, answer)
}
