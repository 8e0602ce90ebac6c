import type { Db } from '@atrium/server-kit/database.ts'
import { and, asc, eq, gt } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { CardProvider } from '../../../outside/card-provider/card-provider.ts'
import { ifKnown } from '../../../outside/provider-failure.ts'
import { subjectsOfSucceeded } from '../operations/operations.queries.ts'
import { providerCustomers } from './customers.tables.ts'
import { linkCustomers } from './customers.writes.ts'

interface Needs {
  db: Db
  cards: Pick<CardProvider, 'fingerprintsOf' | 'firstPayingCard'>
  now: Date
}

const pageSize = 500

/**
 * Whoever has put a card on file here is the customer who made the first payment with the same card elsewhere: raises the proof of
 * customers that are known by an address alone. A card that came later proves nothing: the provider keeps one that was entered on the page
 * of an invoice, or in its own portal, to which it lets whoever has the address. Nor does it say whose the other cards there are.
 * @param of one member; left out: all
 * @returns how many were raised
 */
export async function raiseSameCards({ db, cards, now }: Needs, of?: { memberId: string }): Promise<number> {
  const onFileAt = async (customerId: string) =>
    new Set((await ifKnown(cards.fingerprintsOf(customerId)))?.map(({ fingerprint }) => fingerprint))
  let raised = 0
  let last: string | undefined
  for (;;) {
    const page = await unprovenBesideMain(db, { last, ...of })
    for (const { customerId, memberId, mainId } of page) {
      const own = await onFileAt(mainId)
      const isSame = own.size > 0 && [...(await onFileAt(customerId))].some((fingerprint) => own.has(fingerprint))
      const first = isSame ? await firstEntered({ db, cards }, { customerId, memberId }) : undefined
      if (first === undefined || !own.has(first)) continue
      const link = { customerId, memberId, proof: 'ours', isPartlyProven: true } as const
      const links = await db.transaction((tx) => linkCustomers(tx, [link], now))
      raised += links.raised.length
    }
    if (page.length < pageSize) return raised
    last = page.at(-1)?.customerId
  }
}

/** The fingerprint of the card that paid first: one that the member has put on file there proves nothing. */
async function firstEntered(
  { db, cards }: Pick<Needs, 'db' | 'cards'>,
  { customerId, memberId }: { customerId: string; memberId: string },
) {
  const first = await ifKnown(cards.firstPayingCard({ customer: customerId }))
  if (!first) return undefined
  const added = await subjectsOfSucceeded(db, { id: memberId }, { kind: 'card.add', input: { customerId } })
  return added.has(first.paymentMethodId) ? undefined : first.fingerprint
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
