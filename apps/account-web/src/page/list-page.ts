import { z } from 'zod'

/** 000 §9, for orders, licenses and devices. */
export const listPageSize = 10

/** The page of a list, from 1; the first one is left out. */
export const PageNumber = z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined)
