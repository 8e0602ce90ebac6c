import { z } from 'zod'

/** 0 or 1, as the specifications have flags. */
export const Flag = z.union([z.literal(0), z.literal(1)])
