import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { members } from '../../db/members.tables.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import { at, billedWorld } from '../../test/billed-subscription.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { emailBankQuestion } from './bank-questions.ts'
import { subscriptionNotices } from './subscription-notices.tables.ts'
import { syncSubscription, syncSubscriptions } from './subscriptions.sync.ts'
import { subscriptions } from './subscriptions.tables.ts'

const Sent = z.object({ to: z.string(), subject: z.string(), text: z.string() })

/** A subscription of a German member, and the emails about it. */
async function germanWorld() {
  const world = await billedWorld({ locale: 'de-de', currency: 'EUR' })
  const { id, item, billed, provider } = world
  world.deps.cards.subscriptionsAfter = async () => ({ subscriptions: [provider.has], hasMore: false })

  /** The emails that a reading of this state sends. */
  async function emailsOf(state: Partial<BilledSubscription>) {
    provider.has = { ...billed, ...state }
    await syncSubscription(world.deps, id)
    return emails()
  }
  const emails = () =>
    world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return { ...world, emails, emailsOf, renewedItem: { ...item, periodStart: at(30), periodEnd: at(60) } }
}

const openInvoice = {
  amount: 2380,
  url: 'https://pay.example/1',
  since: at(30),
  dates: [at(30)],
  retriedSince: at(30),
  nextAttemptAt: at(33),
  needsConfirmation: false,
  declineCode: '',
  declinedCard: null,
  declinedAt: null,
}

test('what was bought is told the Owner in their language, once', async () => {
  await using world = await germanWorld()
  const [first, ...others] = await world.emailsOf({})

  expect(others).toEqual([])
  expect(first).toMatchObject({ to: world.member.email, subject: 'Ihr Abonnement für Folio PDF Editor+ hat begonnen' })
  expect(first?.text).toContain('Verlängert sich am: 1. Juli 2026')
  expect(first?.text).toContain('/de/account?tab=my-subscriptions')
  expect(await world.emailsOf({})).toEqual([])
})

test('a renewal is told when it is paid, not when the period begins', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  world.at(at(30))
  expect(await world.emailsOf({ items: [world.renewedItem], isRenewing: true })).toEqual([])
  expect(await world.emailsOf({ items: [world.renewedItem] })).toMatchObject([
    { subject: 'Folio PDF Editor+ wurde verlängert' },
  ])
})

test('a renewal that fails: the failure, each failed retry and the payment are told, and no renewal', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  const items = [world.renewedItem]
  world.at(at(30))
  await world.emailsOf({ items, isRenewing: true })
  const [failed] = await world.emailsOf({ items, status: 'past_due', openInvoice })
  expect(failed?.subject).toBe('Ihre Zahlung für Folio PDF Editor+ ist fehlgeschlagen')
  expect(failed?.text).toContain('23,80\u00A0€')
  expect(failed?.text).toContain('4. Juli 2026')

  world.at(at(33))
  const retried = { ...openInvoice, nextAttemptAt: at(38) }
  expect(await world.emailsOf({ items, status: 'past_due', openInvoice: retried })).toMatchObject([
    { subject: failed?.subject },
  ])
  const asked = { ...retried, needsConfirmation: true }
  expect(await world.emailsOf({ items, status: 'past_due', openInvoice: asked })).toEqual([])
  await emailBankQuestion(world.deps, { subscriptionId: world.id, isFirst: false })
  expect(world.emails()).toMatchObject([{ subject: 'Bitte bestätigen Sie Ihre Zahlung für Folio PDF Editor+' }])
  expect(await world.emailsOf({ items })).toMatchObject([{ subject: 'Die Zahlung für Folio PDF Editor+ ist erledigt' }])
})

test('auto-renewal off tells until when it can be used, and on again when it renews', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  const [off] = await world.emailsOf({ cancelAt: at(30) })
  expect(off?.subject).toBe('Die automatische Verlängerung von Folio PDF Editor+ ist ausgeschaltet')
  expect(off?.text).toContain('1. Juli 2026')
  expect(await world.emailsOf({})).toMatchObject([
    { subject: 'Die automatische Verlängerung von Folio PDF Editor+ ist wieder eingeschaltet' },
  ])
})

test('twenty readings at once of one change send one email', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  world.provider.has = { ...world.billed, items: [{ ...world.item, quantity: 5 }] }
  await Promise.allSettled(Array.from({ length: 20 }, () => syncSubscription(world.deps, world.id)))

  const sent = world.emails()
  expect(sent).toMatchObject([{ subject: 'Ihr Abonnement für Folio PDF Editor+ wurde geändert' }])
  expect(sent[0]?.text).toContain('Plätze: 5')
})

test('a reading that is older than what is stored sends nothing', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  const { cards } = world.deps
  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  cards.readSubscription = async () => {
    isRead.resolve()
    await mayGoOn.promise
    return { ...world.billed, items: [{ ...world.item, quantity: 9 }] }
  }
  const slow = syncSubscription(world.deps, world.id)
  await isRead.promise
  cards.readSubscription = async () => world.provider.has
  expect(await world.emailsOf({ status: 'canceled', endedAt: at(0) })).toHaveLength(1)
  mayGoOn.resolve()
  await slow
  expect(world.emails()).toEqual([])
})

test('a take-over tells nobody, and what it found is not told by the next webhook', async () => {
  await using world = await germanWorld()
  await syncSubscriptions({ ...world.deps, say: () => undefined })
  world.provider.has = { ...world.billed, cancelAt: at(30) }
  await syncSubscriptions({ ...world.deps, say: () => undefined })
  expect(world.emails()).toEqual([])
  expect(await world.emailsOf({ cancelAt: at(30) })).toEqual([])
})

test('what was bought long before the customer was linked is there without an email', async () => {
  await using world = await germanWorld()
  world.at(at(20))
  expect(await world.emailsOf({})).toEqual([])
  expect(await world.db.$count(subscriptions, eq(subscriptions.id, world.id))).toBe(1)
})

test('no amount is in an email about a subscription whose price is hidden', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  await world.db.update(subscriptions).set({ isPriceHidden: true }).where(eq(subscriptions.id, world.id))
  const [failed] = await world.emailsOf({ status: 'past_due', openInvoice })
  expect(failed?.text).toContain('Folio PDF Editor+')
  expect(failed?.text).not.toContain('€')
})

test('if the change is not stored, no email is sent', async () => {
  await using world = await germanWorld()
  await world.emailsOf({})
  await world.db.execute(`
    create function account.refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on account.activity for each row
      when (new.target = '${world.id}') execute function account.refuse()`)
  await expect(world.emailsOf({ status: 'canceled', endedAt: at(0) })).rejects.toThrow()
  await world.db.execute('drop trigger refuse on account.activity')
  expect(world.emails()).toEqual([])
  expect(await world.emailsOf({ status: 'canceled', endedAt: at(0) })).toHaveLength(1)
  const ended = and(eq(subscriptionNotices.subscriptionId, world.id), eq(subscriptionNotices.kind, 'ended'))
  expect(await world.db.$count(subscriptionNotices, ended)).toBe(1)
})

test('a member’s language is the one of the account page that they opened last', async () => {
  await using world = await germanWorld()
  await world.db.update(members).set({ locale: 'ja-jp' }).where(eq(members.id, world.member.id))
  expect(await world.emailsOf({})).toMatchObject([{ subject: 'Folio PDF Editor+ のサブスクリプションが開始しました' }])
})
