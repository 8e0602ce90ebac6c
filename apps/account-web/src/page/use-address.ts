import { useNavigate, useSearch } from '@tanstack/react-router'
import type { z } from 'zod'

interface How {
  replace?: boolean
  /** False: the page stays where it is scrolled to. */
  resetScroll?: boolean
}

/** A tab's search parameters and how to change them, so that Back, reload and shared links find the same view. */
export function useAddress<Schema extends z.ZodType>(
  schema: Schema,
): [z.output<Schema>, (changes: Partial<z.input<Schema>>, how?: How) => void] {
  const search = useSearch({ strict: false })
  const navigate = useNavigate()
  const change = (changes: object, how?: How) => {
    void navigate({ to: '/account', search: { ...search, ...changes }, ...how })
  }
  return [schema.parse(search), change]
}
