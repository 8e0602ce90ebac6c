import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LocaleCode } from './locale.ts'

export const dictionaryTypes = [
  'order-status',
  'license-status',
  'subscription-status',
  'cancel-reason',
  'roadmap-status',
  'plan-cycle',
] as const
export const DictionaryType = z.enum(dictionaryTypes)
export type DictionaryType = z.infer<typeof DictionaryType>

/** 000 §3. */
export const DictionaryEntry = z.object({ code: z.string(), name: z.string() })

/** Batch fetch (000 §7): `type` is comma-joined, the reply is keyed by type. */
export const readDictionaries = endpoint({
  method: 'GET',
  path: '/account/dictionaries/',
  summary: 'Names of codes by type, in a language',
  access: 'anyone',
  query: z.object({
    type: z
      .string()
      .max(200)
      .transform((types) => types.split(','))
      .pipe(z.array(DictionaryType).min(1)),
    lang: LocaleCode.default('en-us'),
  }),
  support: 'read',
  reply: z.partialRecord(DictionaryType, z.array(DictionaryEntry)),
  cacheSeconds: 3600,
})
