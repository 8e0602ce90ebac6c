import { Problem } from '@atrium/server-kit/problem.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ownForms } from '../../../page/own-page.ts'
import { sendPage } from '../../../page/page.ts'
import { businessNow } from '../../clock/clock.queries.ts'
import { inCall, type PaypalDeps } from '../wire/call.ts'
import { answeredInPopup, answeredPage, noQuestionPage, questionPage } from './approval.page.ts'
import { findQuestion, lockQuestion, type Question } from './approval.queries.ts'
import {
  answeredPolicy,
  approvalPolicy,
  buyerOf,
  type Payer,
  payers,
  returnAddress,
  returnParameters,
} from './approval.rules.ts'
import { approve } from './approval.writes.ts'

const Code = z
  .string()
  .regex(/^[\w-]{1,64}$/)
  .optional()

const Address = z.object({ token: Code, ba_token: Code, subscription_id: Code, channel: z.uuid().optional() })
const Answer = z.object({ answer: z.enum(['approve', 'approve-other', 'approve-guest', 'no-funds', 'cancel']) })

/** The page on which the buyer approves a payment, a subscription, or a change of one. */
export function approvalRoutes(app: FastifyInstance, deps: PaypalDeps): void {
  app.get('/paypal/approve', async (request, reply) => {
    const address = Address.safeParse(request.query)
    const question = address.success ? await findQuestion(deps.db, address.data) : undefined
    if (!address.success || !question || question.state === 'gone')
      return sendPage(allowOpener(reply).code(404), noQuestionPage())
    const { channel } = address.data
    // Opening the page again after the approval is harmless: it leads back to the merchant.
    if (question.state === 'approved') return leave(reply, question, { isApproved: true, channel })
    const page = questionPage(question, channel, await businessNow(deps.db, deps.clock()))
    return sendPage(allowOpener(reply), page, approvalPolicy(question.context))
  })

  ownForms(app, (forms) => {
    forms.post('/paypal/approve', async (request, reply) => {
      return answerQuestion(deps, request, reply)
    })
  })
}

async function answerQuestion(deps: PaypalDeps, request: FastifyRequest, reply: FastifyReply) {
  const address = Address.safeParse(request.query)
  const given = Answer.safeParse(request.body)
  if (!address.success || !given.success) throw new Problem('not_found')
  const { answer } = given.data
  const question = await inCall(deps, async (call) => {
    const found = await lockQuestion(call.tx, address.data)
    if (found?.state !== 'open' || answer === 'cancel') return found
    await approve(call, found, { hasFunds: answer !== 'no-funds', payer: payerOf(answer) })
    return findQuestion(call.tx, address.data)
  })
  if (!question || question.state === 'gone') return sendPage(allowOpener(reply).code(404), noQuestionPage())
  deps.onEvents()
  const isApproved = question.state === 'approved' || answer !== 'cancel'
  return leave(reply, question, { isApproved, channel: address.data.channel })
}

function payerOf(answer: z.output<typeof Answer>['answer']): Payer {
  return payers.find((payer) => answer === `approve-${payer}`) ?? 'buyer'
}

interface Leaving {
  isApproved: boolean
  channel: string | undefined
}

/** In a popup the button is told; otherwise the browser goes on to the merchant. */
function leave(reply: FastifyReply, question: Question, { isApproved, channel }: Leaving) {
  if (channel !== undefined) {
    const message = {
      channel,
      kind: isApproved ? 'approved' : 'canceled',
      payerId: buyerOf(question).payerId,
      ...returnParameters(question, isApproved),
    }
    return allowOpener(reply)
      .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': answeredPolicy })
      .send(answeredInPopup(message).markup)
  }
  const address = returnAddress(question, isApproved)
  return address === undefined ? sendPage(reply, answeredPage(isApproved)) : reply.redirect(address, 303)
}

/** A popup stays connected to the button that opened it. */
function allowOpener(reply: FastifyReply): FastifyReply {
  return reply.header('cross-origin-opener-policy', 'unsafe-none')
}
