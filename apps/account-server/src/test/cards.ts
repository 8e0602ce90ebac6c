import * as contract from '@atrium/contract/cards.ts'
import { and, asc, eq } from 'drizzle-orm'
import { payments } from '../app.ts'
import { activity } from '../features/activity/activity.tables.ts'
import { checkOperations } from '../features/payments/operations/check-operation.ts'
import { providerOperations } from '../features/payments/operations/operations.tables.ts'
import { handleEvent } from '../features/payments/payments.jobs.ts'
import type { Sandbox } from './sandbox.ts'
import { newWorld, type TestMember } from './world.ts'

type WorldOptions = Pick<NonNullable<Parameters<typeof newWorld>[0]>, 'work' | 'logger'>

/** A world with the sandbox as its card provider, and helpers for members with cards. */
export async function cardsPeople(sandbox: Sandbox, settings: NodeJS.ProcessEnv = {}, options: WorldOptions = {}) {
  const world = await newWorld({
    ...options,
    now: new Date().toISOString(),
    settings: { ...sandbox.settings, CARD_ATTEMPTS_PER_HOUR: '100', ...settings },
  })

  /** Creates a payment method as the card form does: only the provider gets the number. */
  async function typed(number: string, exp_year = 2034): Promise<string> {
    const card = { number, exp_month: 12, exp_year, cvc: '123' }
    return (await sandbox.stripe.paymentMethods.create({ type: 'card', card })).id
  }

  const save = (member: TestMember, paymentMethodId: string, key?: string) =>
    world.as(member).send(contract.createSetupIntent, { body: { paymentMethodId } }, key)

  const add = async (member: TestMember, number = '4242424242424242') => save(member, await typed(number))

  return {
    ...world,
    typed,
    save,
    add,
    async list(member: TestMember) {
      const { status, body } = await world.as(member).send(contract.listCards, {})
      if (status !== 200) throw new Error(`the list answered ${status}`)
      return body
    },
    finish: (member: TestMember, id: string) => world.as(member).send(contract.finishSetupIntent, { params: { id } }),
    /** A member with these cards on file, the first of them the default. */
    async memberWithCards(numbers: readonly string[]) {
      const member = await world.member()
      const ids: string[] = []
      for (const number of numbers) {
        const id = await typed(number)
        const { status } = await save(member, id)
        if (status !== 200) throw new Error(`the card was answered ${status}`)
        ids.push(id)
      }
      return { member, ids }
    },
    async actions(member: TestMember) {
      const rows = await world.db
        .select({ action: activity.action })
        .from(activity)
        .where(eq(activity.memberId, member.id))
        .orderBy(asc(activity.id))
      return rows.map(({ action }) => action)
    },
    additions: (member: TestMember) =>
      world.db
        .select()
        .from(providerOperations)
        .where(and(eq(providerOperations.memberId, member.id), eq(providerOperations.kind, 'card.add')))
        .orderBy(asc(providerOperations.createdAt)),
    /** Advances the clock and runs the jobs of every minute. */
    async reconcileAfter(seconds: number) {
      world.at(new Date(world.deps.clock().getTime() + seconds * 1000))
      await checkOperations(world.deps, payments.definitions)
    },
    handleEvent: (objectId: string) =>
      handleEvent(world.deps, payments.syncs, { provider: 'card', objectType: 'setup_intent', objectId }),
    /** The ids of a member's cards at the provider. */
    async ledger(member: TestMember) {
      const { data } = await sandbox.stripe.customers.list({ email: member.email })
      const lists = await Promise.all(data.map(({ id }) => sandbox.stripe.paymentMethods.list({ customer: id })))
      return lists.flatMap(({ data: cards }) => cards.map(({ id }) => id))
    },
  }
}
