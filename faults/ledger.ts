import type { Person, Stage } from './stage.ts'

interface Ledger {
  customers: readonly { id: string; defaultId: string }[]
  /** Ids of the cards of all of them. */
  cards: readonly string[]
}

/** What the card provider has of somebody, from its own tables: a question to it would meet the faults that wait there. */
export async function ledgerOf({ query }: Pick<Stage, 'query'>, { email }: Person): Promise<Ledger> {
  const { rows: customers } = await query<{ id: string; defaultId: string }>(
    `select id, coalesce(kept #>> '{object,invoice_settings,default_payment_method}', '') as "defaultId"
     from sandbox.card_objects where kind = 'customer' and email = $1 and not is_deleted`,
    [email],
  )
  const { rows: cards } = await query<{ id: string }>(
    `select id from sandbox.card_objects where kind = 'payment_method' and customer = any($1) and not is_deleted`,
    [customers.map(({ id }) => id)],
  )
  return { customers, cards: cards.map(({ id }) => id) }
}
