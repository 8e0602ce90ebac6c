import { z } from 'zod'

/** 0 or 1, as flags are in the specifications. */
export const Flag = z.union([z.literal(0), z.literal(1)])
