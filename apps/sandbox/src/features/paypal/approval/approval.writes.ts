import { approveOrder } from '../orders/orders.writes.ts'
import { approveSubscription } from '../subscriptions/revisions.writes.ts'
import type { Call } from '../wire/call.ts'
import type { Question } from './approval.queries.ts'
import { answererOf, type Payer } from './approval.rules.ts'

interface Answer {
  /** Whether their charges will succeed. */
  hasFunds: boolean
  payer: Payer
}

/** Somebody approves what is asked. */
export async function approve(call: Call, question: Question, { hasFunds, payer }: Answer): Promise<void> {
  const answer = { buyer: answererOf(question, payer), hasFunds }
  const { asked } = question
  if (asked.kind === 'order') await approveOrder(call, asked.order, answer)
  else await approveSubscription(call, asked, answer)
}
