import { z } from 'zod'

/** The search parameters of Payment Option Management. A link can open the form for a new card, or for one that replaces `card`. */
export const CardsSearch = z.object({
  dialog: z.enum(['add', 'replace']).optional().catch(undefined),
  /** Id of the card to replace. */
  card: z.string().optional().catch(undefined),
})
export type CardsSearch = z.output<typeof CardsSearch>
