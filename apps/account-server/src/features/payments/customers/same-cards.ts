import type { Db } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { z } from 'zod'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { firstOperationWith } from '../operations/operations.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { linkCustomers } from './customers.writes.ts'

interface Needs {
  db: Db
  cards: Pick<CardProvider, 'fingerprintsOf'>
  now: Date
}

const pageSize = 500

/**
 * Whoever has put a card on file here is the customer who pays with the same card elsewhere: raises the proof of customers that are
 * known by an address alone.
 * @param of one member; left out: all
 * @returns how many were raised
 */
export async function raiseSameCards({ db, cards, now }: Needs, of?: { memberId: string }): Promise<number> {
  let raised = 0
  let last: string | undefined
  for (;;) {
    const page = await unprovenBesideMain(db, { last, ...of })
    for (const { customerId, memberId, mainId } of page) {
      const own = new Set((await ifKnown(cards.fingerprintsOf(mainId)))?.map(({ fingerprint }) => fingerprint))
      const theirs = own.size > 0 ? await enteredAt({ db, cards }, { customerId, memberId }) : []
      if (!theirs.some(({ fingerprint }) => own.has(fingerprint))) continue
      const links = await db.transaction((tx) => linkCustomers(tx, [{ customerId, memberId, proof: 'ours' }], now))
      raised += links.raised.length
    }
    if (page.length < pageSize) return raised
    last = page.at(-1)?.customerId
  }
}

const Addition = z.object({ onFile: z.array(z.string()).default([]) })

/** The cards that were entered at a checkout: one that the member has put on file there since proves nothing. */
async function enteredAt(
  { db, cards }: Pick<Needs, 'db' | 'cards'>,
  { customerId, memberId }: { customerId: string; memberId: string },
) {
  const onFile = (await ifKnown(cards.fingerprintsOf(customerId))) ?? []
  // Asked after the cards were read: one among them was asked for before.
  const first = await firstOperationWith(db, { id: memberId }, { kind: 'card.add', input: { customerId } })
  if (!first) return onFile
  const before = Addition.parse(first.input).onFile
  return onFile.filter(({ paymentMethodId }) => before.includes(paymentMethodId))
}

function unprovenBesideMain(db: Db, { last, memberId }: { last: string | undefined; memberId?: string }) {
  const main = alias(providerCustomers, 'main')
  return db
    .select({
      ...{ customerId: providerCustomers.customerId, memberId: providerCustomers.memberId },
      mainId: main.customerId,
    })
    .from(providerCustomers)
    .innerJoin(main, and(eq(main.memberId, providerCustomers.memberId), main.isMain))
    .where(
      and(
        eq(providerCustomers.proof, 'address'),
        last ? gt(providerCustomers.customerId, last) : undefined,
        memberId ? eq(providerCustomers.memberId, memberId) : undefined,
      ),
    )
    .orderBy(asc(providerCustomers.customerId))
    .limit(pageSize)
}
