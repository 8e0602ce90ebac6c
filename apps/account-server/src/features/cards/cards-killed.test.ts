import * as contract from '@atrium/contract/cards.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { cardsPeople } from '../../test/cards.ts'
import { killAt, killOnce, killPoints } from '../../test/killed.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { providerCustomers } from '../payments/customers/customers.tables.ts'
import { type OperationRow, providerOperations } from '../payments/operations/operations.tables.ts'

const sandbox = await sandboxOfFile()

type OperationKind = OperationRow['kind']
type World = Awaited<ReturnType<typeof cardsPeople>>

const good = '4242424242424242'
const declined = '4000000000000002'
const needsAuthentication = '4000002760003184'

const edit = { firstname: 'Ada', lastname: 'King', country: 'DE', address: '', state: '', city: 'Berlin', zip: '10623' }

interface Scene {
  member: TestMember
  /** The request during which the server dies, and which is repeated afterwards. */
  ask(member: TestMember): Promise<{ status: number }>
  /** The member's cards at the provider in the end. */
  cards: number
  actions: readonly string[]
}

/** A request that needs an operation of a kind, and the expected end state. */
const scenes: readonly {
  kind: OperationKind
  /** A child operation: decided with its parent's outcome. */
  isChild?: true
  prepare(world: World): Promise<Scene>
}[] = [
  {
    kind: 'customer.create',
    async prepare(world) {
      const id = await world.typed(good)
      return { member: await world.member(), ask: (who) => world.save(who, id), cards: 1, actions: ['card.added'] }
    },
  },
  {
    kind: 'card.add',
    async prepare(world) {
      const id = await world.typed(good)
      return { member: await world.member(), ask: (who) => world.save(who, id), cards: 1, actions: ['card.added'] }
    },
  },
  {
    kind: 'card.set_default',
    isChild: true,
    async prepare(world) {
      const id = await world.typed(good)
      return { member: await world.member(), ask: (who) => world.save(who, id), cards: 1, actions: ['card.added'] }
    },
  },
  {
    kind: 'card.cancel_setup',
    isChild: true,
    async prepare(world) {
      const id = await world.typed(declined)
      return { member: await world.member(), ask: (who) => world.save(who, id), cards: 0, actions: [] }
    },
  },
  {
    kind: 'card.remove',
    isChild: true,
    async prepare(world) {
      const member = await world.member()
      const { body } = await world.add(member, needsAuthentication)
      await sandbox.stripe.setupIntents.confirm(body.id, { payment_method: await world.typed(good) })
      return { member, ask: (who) => world.finish(who, body.id), cards: 0, actions: [] }
    },
  },
  {
    kind: 'card.update',
    async prepare(world) {
      const { member, ids } = await world.memberWithCards([good])
      const params = { paymentMethodId: ids[0] ?? '' }
      const ask = (who: TestMember) => world.as(who).send(contract.updateCard, { params, body: edit })
      return { member, ask, cards: 1, actions: ['card.added', 'card.updated'] }
    },
  },
  {
    kind: 'card.set_default',
    async prepare(world) {
      const { member, ids } = await world.memberWithCards([good, good])
      const params = { paymentMethodId: ids[1] ?? '' }
      const ask = (who: TestMember) => world.as(who).send(contract.setDefaultCard, { params })
      return { member, ask, cards: 2, actions: ['card.added', 'card.added', 'card.default_set'] }
    },
  },
  {
    kind: 'card.remove',
    async prepare(world) {
      const { member, ids } = await world.memberWithCards([good, good])
      const params = { paymentMethodId: ids[1] ?? '' }
      const ask = (who: TestMember) => world.as(who).send(contract.removeCard, { query: {}, params })
      return { member, ask, cards: 1, actions: ['card.added', 'card.added', 'card.removed'] }
    },
  },
  {
    kind: 'card.remove',
    async prepare(world) {
      const { member, ids } = await world.memberWithCards([good, good])
      const [old = '', successor] = ids
      const asked = { query: { successor }, params: { paymentMethodId: old } }
      const ask = (who: TestMember) => world.as(who).send(contract.removeCard, asked)
      return { member, ask, cards: 1, actions: ['card.added', 'card.added', 'card.default_set', 'card.removed'] }
    },
  },
]

const cases = scenes.flatMap(({ kind, isChild, prepare }) =>
  killPoints
    .filter((point) => !(isChild && point === 'before the row'))
    .map((point) => ({ kind, place: isChild ? 'what follows' : 'what is asked', point, prepare })),
)

test.each(cases)(
  '$kind ($place), killed $point: the reconciler resolves it, once',
  async ({ kind, place, point, prepare }) => {
    await using world = await cardsPeople(sandbox)
    const { member, ask, cards, actions } = await prepare(world)
    killAt(kind, point)
    const { status } = await ask(member)
    vi.restoreAllMocks()
    if (place === 'what is asked') expect(status).toBe(500)
    else expect(await unresolved(world, member)).toMatchObject([{ kind }])

    await world.reconcileAfter(46)
    await world.reconcileAfter(60)
    expect(await unresolved(world, member)).toEqual([])
    await ask({ ...member, cookie: await world.session(member.id) })

    expect(await unresolved(world, member)).toEqual([])
    expect(await world.ledger(member)).toHaveLength(cards)
    // Removing a card or making it the default is done once; an edit as often as requested.
    expect([...new Set(await world.actions(member))]).toEqual([...new Set(actions)])
    if (kind !== 'card.update') expect(await world.actions(member)).toEqual(actions)
    const { data } = await sandbox.stripe.customers.list({ email: member.email })
    expect(data).toHaveLength(1)
    // A refused addition leaves no intent with which another card could be tried.
    const setups = await sandbox.stripe.setupIntents.list({ customer: data[0]?.id ?? '' })
    for (const { status: ended } of setups.data) expect(['succeeded', 'canceled']).toContain(ended)
    if (cards > 0) expect(data[0]?.invoice_settings.default_payment_method).not.toBeNull()
  },
)

async function unresolved(world: World, member: TestMember) {
  const rows = await world.db
    .select({ kind: providerOperations.kind, status: providerOperations.status })
    .from(providerOperations)
    .where(and(eq(providerOperations.memberId, member.id), isNull(providerOperations.resolvedAt)))
  return rows
}

test.each(['before the call', 'after the call', 'before apply', 'in apply'] as const)(
  'an open authentication is canceled, killed %s: the reconciler resolves it',
  async (point) => {
    await using world = await cardsPeople(sandbox)
    const member = await world.member()
    const { body } = await world.add(member, needsAuthentication)
    if (point === 'before the call') killOnce('card.add', 'before', 'giveUp')
    else if (point === 'after the call') killOnce('card.add', 'after', 'giveUp')
    else killAt('card.add', point)
    await world.reconcileAfter(1801)
    vi.restoreAllMocks()
    expect(await unresolved(world, member)).toHaveLength(1)

    await world.reconcileAfter(60)
    expect((await world.additions(member)).map(({ status, problem }) => [status, problem])).toEqual([
      ['canceled', 'card_not_confirmed'],
    ])
    expect((await sandbox.stripe.setupIntents.retrieve(body.id)).status).toBe('canceled')
    expect(await world.ledger(member)).toEqual([])
  },
)

test('two servers that check the same operation call the provider once', async () => {
  await using world = await cardsPeople(sandbox)
  const member = await world.member()
  killAt('card.set_default', 'after the row')
  await world.add(member)
  vi.restoreAllMocks()
  const { setDefaultCard } = world.deps.cards
  let calls = 0
  world.deps.cards.setDefaultCard = (change) => {
    calls += 1
    return setDefaultCard(change)
  }
  world.at(new Date(world.deps.clock().getTime() + 46_000))
  await Promise.all([world.reconcileAfter(0), world.reconcileAfter(0), world.reconcileAfter(0)])

  expect(calls).toBe(1)
  expect(await unresolved(world, member)).toEqual([])
})

test('an operation of a kind that has no definition is logged as an error, and delays no other', async () => {
  await using world = await cardsPeople(sandbox)
  const { member } = await world.memberWithCards([good])
  const errors: unknown[] = []
  vi.spyOn(world.deps.logger, 'error').mockImplementation((...said: unknown[]) => void errors.push(said))
  await world.db
    .update(providerOperations)
    .set({ resolvedAt: null, kind: 'card.polish' as OperationKind })
    .where(and(eq(providerOperations.memberId, member.id), eq(providerOperations.kind, 'card.add')))
  await world.reconcileAfter(60)

  expect(errors).toEqual([
    [expect.objectContaining({ kind: 'card.polish' }), 'no definition for this kind of provider operation'],
  ])
  expect(await world.db.$count(providerCustomers, eq(providerCustomers.memberId, member.id))).toBe(1)
})
