import { z } from 'zod'

/** The login providers of 001 §2, in the order of their buttons. */
export const providerNames = ['google', 'microsoft', 'facebook', 'linkedin', 'education', 'lenovo'] as const
export const ProviderName = z.enum(providerNames)
export type ProviderName = z.infer<typeof ProviderName>
