import { callProvider } from './failure.ts'

/** The longest page that the card provider gives. */
export const longestPage = 100

interface Page<One> {
  data: One[]
  has_more: boolean
}

/**
 * All objects of a list, in the provider's order: newest first. Each page is a call of its own, since a call has a time limit.
 * @param readPage requests the page with these parameters
 * @param begun a first page that is there already, within another object
 */
export async function wholeList<One extends { id: string }>(
  readPage: (page: { limit: number; starting_after?: string }) => Promise<Page<One>>,
  begun: Page<One> = { data: [], has_more: true },
): Promise<One[]> {
  const all = [...begun.data]
  for (let hasMore = begun.has_more; hasMore; ) {
    const after = all.at(-1)?.id
    const page = { limit: longestPage, ...(after && { starting_after: after }) }
    const { data, has_more: more } = await callProvider(() => readPage(page))
    all.push(...data)
    hasMore = more
  }
  return all
}
