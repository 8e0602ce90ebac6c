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

/** Performs the next action of an intent with the cardholder. An intent without one is returned unchanged. */
export async function performNextAction<Intent extends SetupIntent | PaymentIntent>(
  kind: IntentKind<Intent>,
  context: Context,
  intent: Intent,
): Promise<Outcome<Intent>> {
  if (intent.status !== 'requires_action') return outcomeOfIntent(kind, intent)

  const redirect = Redirect.safeParse(intent.next_action)
  if (redirect.success) return leaveFor(redirect.data.redirect_to_url.url)

  const challenge = Challenge.safeParse(intent.next_action)
  if (!challenge.success) return { value: intent }
  const { stripe_js: url, source } = challenge.data.use_stripe_sdk
  return showChallenge(kind, context, { intent, url, source })
}

/** Leaves the page, so the promise never resolves. */
export function leaveFor(url: string): Promise<never> {
  location.assign(url)
  return new Promise(() => undefined)
}

interface Question<Intent> {
  intent: Intent
  /** Address of the bank's page. */
  url: string
  /** Id of the question at the API. */
  source: string
}

/** A message of the frame is only a hint: the outcome is read from the API. */
function showChallenge<Intent extends SetupIntent | PaymentIntent>(
  kind: IntentKind<Intent>,
  context: Context,
  { intent, url, source }: Question<Intent>,
): Promise<Outcome<Intent>> {
  const secret = intent.client_secret
  return new Promise((resolve) => {
    let isOver = false
    let isClosed = false
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
        // If the API failed, the next page of the bank, or closing it, asks again.
        if (value && value.status !== 'requires_action') finish(outcomeOfIntent(kind, value))
      },
      async onClosed() {
        if (isOver || isClosed) return
        isClosed = true
        close()
        const path = `/v1/${kind.path}/${intent.id}/source_cancel`
        const parameters = { client_secret: secret, source }
        const outcome = outcomeOf(await context.controller.request({ method: 'POST', path, parameters }), kind.is)
        finish(outcome.value ? outcomeOfIntent(kind, outcome.value) : outcome)
      },
    })
  })
}

function outcomeOfIntent<Intent>(kind: IntentKind<Intent>, value: Intent): Outcome<Intent> {
  const error = kind.failure(value)
  return error ? { error } : { value }
}
