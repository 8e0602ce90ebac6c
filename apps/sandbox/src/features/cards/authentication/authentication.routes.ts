import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { ownForms } from '../../../page/own-page.ts'
import { sendPage } from '../../../page/page.ts'
import { lockBilledCustomer } from '../payment-intents/invoiced-payments.ts'
import { answerPayment } from '../payment-intents/payment-intents.writes.ts'
import { type ApiDeps, ownCall } from '../requests/call.ts'
import { answerSetup } from '../setup-intents/setup-intents.writes.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { find } from '../store/store.ts'
import { idOf, isOf, type Stored } from '../store/stored.ts'
import { answeredPage, noQuestionPage, questionPage } from './authentication.page.ts'
import { addressAfter, cardName, framedPolicy, purposeOf } from './authentication.rules.ts'

const Question = z.object({ token: z.string().regex(/^[0-9A-Za-z]{32}$/) })
const Answer = z.object({ answer: z.enum(['complete', 'fail']) })

interface Deps extends ApiDeps {
  /** The merchant’s page, which may embed the bank’s page. */
  merchantUrl: string
}

/** The bank's 3-D Secure page: shows the question, accepts the answer, and redirects back. */
export function authenticationRoutes(app: FastifyInstance, deps: Deps): void {
  const policy = (returnUrl: string | null) => framedPolicy(deps.merchantUrl, returnUrl)

  app.get('/cards/authenticate/:token', async (request, reply) => {
    const question = Question.safeParse(request.params)
    const stored = question.success ? await askedIntent(deps, question.data.token) : undefined
    if (!question.success || !stored) return show(reply.code(404), noQuestionPage(), policy(null))

    const method = await find(deps.db, 'payment_method', idOf(stored.object.payment_method) ?? '')
    const returnUrl = stored.hidden.challenge?.returnUrl ?? null
    const page = questionPage({
      token: question.data.token,
      purpose: purposeOf(stored.object),
      card: cardName(method?.object.card),
      isFramed: returnUrl === null,
    })
    return show(reply, page, policy(returnUrl))
  })

  ownForms(app, (forms) => {
    forms.post('/cards/authenticate/:token', async (request, reply) => {
      const question = Question.safeParse(request.params)
      const given = Answer.safeParse(request.body)
      if (!given.success) throw new Problem('not_found')
      const done = question.success
        ? await answer(deps, question.data.token, given.data.answer === 'complete')
        : undefined
      if (!done) return show(reply.code(404), noQuestionPage(), policy(null))

      deps.onEvents()
      if (done.returnUrl === null) return show(reply, answeredPage(done.hasSucceeded), policy(null))
      return reply.redirect(addressAfter(done.returnUrl, done.intent, done.hasSucceeded), 303)
    })
  })
}

type Asked = Extract<Stored, { kind: 'setup_intent' | 'payment_intent' }>

/** The intent that waits for this answer. */
async function askedIntent({ db }: { db: Reader }, token: string): Promise<Asked | undefined> {
  const [row] = await db
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(eq(cardObjects.challengeToken, token))
  return row && waiting(row.stored)
}

function waiting(stored: Stored): Asked | undefined {
  return isOf(stored, 'setup_intent') || isOf(stored, 'payment_intent') ? stored : undefined
}

/** Of two concurrent answers the first counts, because it removes the question. */
function answer(deps: Deps, token: string, isAuthenticated: boolean) {
  return deps.db.transaction(async (tx) => {
    const seen = await askedIntent({ db: tx }, token)
    if (seen && isOf(seen, 'payment_intent')) await lockBilledCustomer(tx, seen)
    const [row] = await tx
      .select({ stored: cardObjects.stored })
      .from(cardObjects)
      .where(eq(cardObjects.challengeToken, token))
      .for('update')
    const stored = row && waiting(row.stored)
    if (!stored) return undefined
    const call = await ownCall(tx, deps)
    const intent = isOf(stored, 'setup_intent')
      ? await answerSetup(call, stored, isAuthenticated)
      : await answerPayment(call, stored, isAuthenticated)
    return {
      intent,
      hasSucceeded: intent.status === 'succeeded',
      returnUrl: stored.hidden.challenge?.returnUrl ?? null,
    }
  })
}

function show(reply: FastifyReply, page: Parameters<typeof sendPage>[1], policy: string) {
  reply.removeHeader('x-frame-options')
  return sendPage(reply, page, policy)
}
