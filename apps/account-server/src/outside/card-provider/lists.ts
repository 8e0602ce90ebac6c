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
  for await (const data of pagesOf(readPage, begun)) all.push(...data)
  return all
}

/** The same page by page: what is not asked for is not requested. */
export async function* pagesOf<One extends { id: string }>(
  readPage: (page: { limit: number; starting_after?: string }) => Promise<Page<One>>,
  begun: Page<One> = { data: [], has_more: true },
): AsyncGenerator<One[], void> {
  for (let last = begun; last.has_more; ) {
    const after = last.data.at(-1)?.id
    const page = { limit: longestPage, ...(after && { starting_after: after }) }
    last = await callProvider(() => readPage(page))
    yield last.data
  }
}
