import type { Person, Stage } from './stage.ts'

interface Ledger {
  customers: readonly { id: string; defaultId: string }[]
  /** Ids of the cards of all these customers. */
  cards: readonly string[]
  /** Ids of the cards whose billing details were changed. */
  edited: readonly string[]
}

/** What the card provider stores about a person. Read from its tables, because injected faults would break API calls. */
export async function ledgerOf({ query }: Pick<Stage, 'query'>, { email }: Person): Promise<Ledger> {
  const { rows: customers } = await query<{ id: string; defaultId: string }>(
    `select id, coalesce(kept #>> '{object,invoice_settings,default_payment_method}', '') as "defaultId"
     from sandbox.card_objects where kind = 'customer' and email = $1 and not is_deleted`,
    [email],
  )
  const { rows: cards } = await query<{ id: string; isEdited: boolean }>(
    `select id, kept #>> '{object,metadata,operationId}' is not null as "isEdited" from sandbox.card_objects where kind = 'payment_method' and customer = any($1) and not is_deleted`,
    [customers.map(({ id }) => id)],
  )
  const edited = cards.filter(({ isEdited }) => isEdited)
  return { customers, cards: cards.map(({ id }) => id), edited: edited.map(({ id }) => id) }
}
