import { useNavigate, useSearch } from '@tanstack/react-router'
import type { z } from 'zod'

/** A tab's search parameters and how to change them, so that Back, reload and shared links find the same view. */
export function useAddress<Schema extends z.ZodType>(
  schema: Schema,
): [z.output<Schema>, (changes: Partial<z.input<Schema>>, how?: { replace: boolean }) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changes: object, how?: { replace: boolean }) => {
    void navigate({ to: '/account', search: { ...search, ...changes }, ...how })
  }
  return [schema.parse(search), change]
}
