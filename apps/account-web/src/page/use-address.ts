import { useNavigate, useSearch } from '@tanstack/react-router'
import type { z } from 'zod'

/** What a tab keeps in the address, and how to change it: Back, reload and a shared link then find the same view. */
export function useAddress<Schema extends z.ZodType>(
  schema: Schema,
): [z.output<Schema>, (changes: Partial<z.input<Schema>>) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changes: object) => {
    void navigate({ to: '/account', search: { ...search, ...changes } })
  }
  return [schema.parse(search), change]
}
