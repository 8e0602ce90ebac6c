import { z } from 'zod'

/** The search parameters of Payment Option Management. A link can open the form for a new card. */
export const CardsSearch = z.object({ dialog: z.literal('add').optional().catch(undefined) })
export type CardsSearch = z.output<typeof CardsSearch>
