import { z } from 'zod'

/** The name of the dialog in the address. */
export const transferDialog = 'transfer'

export const TransferSearch = z.object({ dialog: z.literal(transferDialog).optional().catch(undefined) })
export type TransferSearch = z.output<typeof TransferSearch>
