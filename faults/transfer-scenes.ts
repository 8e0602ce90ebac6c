import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type Bought, bought, customerOf, type Kind, type Scene } from './change-scenes.ts'
import { type Person, type Stage, waitUntil } from './stage.ts'
import { limitSeconds } from './verdict.ts'

/** What follows at the provider from a transfer; both belong to the recipient. */
export const transferKinds: readonly Kind[] = [
  {
    kind: 'subscription.end_moved',
    request: /^POST \/v1\/subscriptions\/\w+ /,
    applyLock: 'lock table account.provider_operations in share row exclusive mode',
    prepare: transferring,
  },
  {
    kind: 'subscription.continue_moved',
    request: /^POST \/v1\/subscriptions /,
    applyLock: 'lock table account.activity in exclusive mode',
    prepare: transferring,
  },
  {
    kind: 'subscription.continue_moved, which the recipient resumes',
    request: /^POST \/v1\/subscriptions /,
    applyLock: 'lock table account.activity in exclusive mode',
    prepare: resuming,
  },
]

interface Row {
  member_id: string
  provider_id: string | null
  owners: number
}

async function transferring(stage: Stage): Promise<Scene> {
  return transferringOf(stage, await bought(stage))
}

/** A subscription that moves to somebody with a card, with the codes from both mailboxes. */
export async function transferringOf(stage: Stage, { person: sender, customer: from, sid }: Bought): Promise<Scene> {
  const { person: recipient, customer: to } = await customerOf(stage)
  const send = await transferOf(stage, sender, recipient)
  return { person: recipient, send, state: () => continued(stage, { sid, from, to, recipient }) }
}

/** What moved to somebody without a card ends; with a card they resume it. */
async function resuming(stage: Stage): Promise<Scene> {
  const { person: sender, customer: from, sid } = await bought(stage)
  const recipient = await stage.person()
  const send = await transferOf(stage, sender, recipient)
  await send()
  const hasEnded = async () => (await stage.stripe.subscriptions.retrieve(sid)).cancel_at_period_end
  await waitUntil('the old one ends', hasEnded, limitSeconds)
  const { customer: to } = await customerOf(stage, recipient)
  const resume = { method: 'POST', path: '/account/subscription-renew/', body: { sid } } as const
  return {
    person: recipient,
    send: () => stage.send(recipient, resume),
    state: () => continued(stage, { sid, from, to, recipient }),
  }
}

/** Both codes are sent. @returns what transfers with them, each time with the same key */
async function transferOf(stage: Stage, sender: Person, recipient: Person) {
  const asked = { email: recipient.email, lang: 'en-us' }
  await stage.send(sender, { method: 'POST', path: '/account/transfer-email-code/', body: asked })
  const body = {
    ...asked,
    verificationCodeForCurrent: await codeTo(stage, sender),
    verificationCodeForRecipient: await codeTo(stage, recipient),
  }
  const key = randomUUID()
  return () => stage.send(sender, { method: 'POST', path: '/account/subscription-transfer/', body, key })
}

interface Moved {
  sid: string
  /** Customers at the provider. */
  from: string
  to: string
  recipient: Person
}

/** Whether one subscription of the recipient goes on where the sender's ends. */
async function continued(stage: Stage, { sid, from, to, recipient }: Moved) {
  const { stripe, query } = stage
  const { cancel_at_period_end: isEnding } = await stripe.subscriptions.retrieve(sid)
  const begun = (await stripe.subscriptions.list({ customer: to, status: 'all' })).data
  const paid = await Promise.all([from, to].map((customer) => stripe.invoices.list({ customer, status: 'paid' })))
  const charged = paid.flatMap(({ data }) => data.filter(({ total }) => total > 0)).length - 1
  const { rows } = await query<Row>(
    `select member_id, provider_id, (select count(*)::int from account.seats
       where subscription_id = sub.id and type = 2 and removed_at is null and member_id = sub.member_id) as owners
     from account.subscriptions sub where id = $1 or provider_id = any($2)`,
    [sid, begun.map(({ id }) => id)],
  )
  const isMoved = rows[0]?.member_id === recipient.id
  const isBegun = begun.some(({ id }) => id === rows[0]?.provider_id)
  // Nobody is charged on the day, there is one row, and one Owner, who has the seat.
  const ours = { isMoved, begun: Number(isBegun), charged: 0, rows: rows.length, owners: rows[0]?.owners ?? 0 }
  const provider = { isMoved: isEnding, begun: begun.length, charged, rows: 1, owners: 1 }
  const isDone = isMoved && isEnding && begun.length === 1
  return { provider: JSON.stringify(provider), ours: JSON.stringify(ours), charged: 0, ordered: 0, isDone }
}

const Mailbox = z.object({ list: z.array(z.object({ text: z.string() })) })

async function codeTo({ sandboxUrl }: Stage, { email }: Person): Promise<string> {
  let code = ''
  const isThere = async () => {
    const reply = await fetch(`${sandboxUrl}/mail/api/messages?to=${encodeURIComponent(email)}`)
    const { list } = Mailbox.parse(await reply.json())
    code = list.flatMap(({ text }) => /^\d{6}$/m.exec(text) ?? [])[0] ?? ''
    return code !== ''
  }
  await waitUntil('the code has come', isThere, limitSeconds)
  return code
}
