import { z } from 'zod'

/** 000 §9, for orders, licenses and devices. */
export const listPageSize = 10

/** The page of a list, from 1; omitted for the first one. */
export const PageNumber = z.coerce.number().int().min(1).max(1_000_000).optional().catch(undefined)
