import * as contract from '@atrium/contract/transfers.ts'
import { asc, eq } from 'drizzle-orm'
import { activity } from '../features/activity/activity.tables.ts'
import { seats } from '../features/subscriptions/seats.tables.ts'
import { subscriptions } from '../features/subscriptions/subscriptions.tables.ts'
import type { newWorld, TestMember } from './world.ts'

type World = Pick<Awaited<ReturnType<typeof newWorld>>, 'db' | 'deps' | 'as' | 'sent' | 'at'>

/** Where what a test has stored is not asked for at a provider. */
export const noProviders = { CARD_PROVIDER: 'none', PAYPAL: 'none' } as const

export interface Codes {
  current: string
  recipient: string
}

/** How two people transfer subscriptions, and what is to be seen of it. */
export function transfersIn(world: World) {
  const { db, sent } = world
  const emailsTo = (email: string) =>
    sent.flatMap(({ queue, data }) => (queue === 'mail' && Object(data).to === email ? [Object(data)] : []))
  const codeOf = (email: string) =>
    emailsTo(email)
      .flatMap(({ text }) => /^\d{6}$/m.exec(text) ?? [])
      .at(-1) ?? ''

  const send = (from: TestMember, email: string) =>
    world.as(from).send(contract.transferEmailCode, { body: { email, lang: 'en-us' } })

  function use(from: TestMember, email: string, codes: Codes, key?: string) {
    const { current: verificationCodeForCurrent, recipient: verificationCodeForRecipient } = codes
    const body = { email, verificationCodeForCurrent, verificationCodeForRecipient, lang: 'en-us' as const }
    return world.as(from).send(contract.subscriptionTransfer, { body }, key)
  }

  async function codesFor(from: TestMember, to: TestMember): Promise<Codes> {
    const { status, body } = await send(from, to.email)
    if (status !== 200) throw new Error(`the codes were answered ${status} ${body.code}`)
    return { current: codeOf(from.email), recipient: codeOf(to.email) }
  }

  return {
    emailsTo,
    send,
    use,
    codesFor,
    check: async (member: TestMember) => (await world.as(member).send(contract.checkTransfer, {})).body,
    checkEmail: (from: TestMember, email: string) =>
      world.as(from).send(contract.checkTransferEmail, { query: { email, lang: 'en-us' } }),
    async transfer(from: TestMember, to: TestMember) {
      return use(from, to.email, await codesFor(from, to))
    },
    later(seconds: number) {
      world.at(new Date(world.deps.clock().getTime() + seconds * 1000))
    },
    async stored(id: string) {
      const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id))
      if (!row) throw new Error('no subscription')
      return row
    },
    seatsOf: (id: string) => db.select().from(seats).where(eq(seats.subscriptionId, id)).orderBy(asc(seats.email)),
    async actions(member: TestMember) {
      const rows = await db
        .select({ action: activity.action })
        .from(activity)
        .where(eq(activity.memberId, member.id))
        .orderBy(asc(activity.id))
      return rows.map(({ action }) => action)
    },
  }
}
