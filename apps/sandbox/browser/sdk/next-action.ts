import type { PaymentIntent, SetupIntent } from '@stripe/stripe-js'
import * as z from 'zod/mini'
import { openChallenge } from './challenge-dialog.ts'
import type { Context } from './context.ts'
import { type IntentKind, retrieve } from './intents.ts'
import { type Outcome, outcomeOf } from './replies.ts'

const Redirect = z.object({ type: z.literal('redirect_to_url'), redirect_to_url: z.object({ url: z.string() }) })
const Challenge = z.object({
  type: z.literal('use_stripe_sdk'),
  use_stripe_sdk: z.object({ stripe_js: z.string(), source: z.string() }),
})

/** Lets the cardholder do what the intent waits for. An intent that waits for nothing is answered as it is. */
export async function carryOut<Intent extends SetupIntent | PaymentIntent>(
  kind: IntentKind<Intent>,
  context: Context,
  intent: Intent,
): Promise<Outcome<Intent>> {
  if (intent.status !== 'requires_action') return ended(kind, intent)

  const redirect = Redirect.safeParse(intent.next_action)
  if (redirect.success) return leaveFor(redirect.data.redirect_to_url.url)

  const challenge = Challenge.safeParse(intent.next_action)
  if (!challenge.success) return { value: intent }
  const { stripe_js: url, source } = challenge.data.use_stripe_sdk
  return challenged(kind, context, { intent, url, source })
}

/** The page goes elsewhere: whoever waits here, waits for ever. */
export function leaveFor(url: string): Promise<never> {
  location.assign(url)
  return new Promise(() => undefined)
}

interface Question<Intent> {
  intent: Intent
  /** Of the bank's page. */
  url: string
  /** Of the question, at the API. */
  source: string
}

/** What a frame says is a hint; what became of the question is asked of the API. */
function challenged<Intent extends SetupIntent | PaymentIntent>(
  kind: IntentKind<Intent>,
  context: Context,
  { intent, url, source }: Question<Intent>,
): Promise<Outcome<Intent>> {
  const secret = intent.client_secret
  return new Promise((resolve) => {
    let isOver = false
    let isGivenUp = false
    const finish = (outcome: Outcome<Intent>) => {
      if (isOver) return
      isOver = true
      close()
      resolve(outcome)
    }
    const close = openChallenge({
      url,
      locale: context.locale,
      async onLoaded() {
        const { value } = await retrieve(kind, { context, secret, method: 'stripe.handleNextAction' })
        // Not to be had just now: the next page that comes up, or the cardholder who closes it, asks again.
        if (value && value.status !== 'requires_action') finish(ended(kind, value))
      },
      async onClosed() {
        if (isOver || isGivenUp) return
        isGivenUp = true
        close()
        const path = `/v1/${kind.path}/${intent.id}/source_cancel`
        const parameters = { client_secret: secret, source }
        const outcome = outcomeOf(await context.controller.request({ method: 'POST', path, parameters }), kind.is)
        finish(outcome.value ? ended(kind, outcome.value) : outcome)
      },
    })
  })
}

function ended<Intent>(kind: IntentKind<Intent>, value: Intent): Outcome<Intent> {
  const error = kind.failure(value)
  return error ? { error } : { value }
}
