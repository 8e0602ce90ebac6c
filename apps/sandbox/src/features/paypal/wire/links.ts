import type { Reading } from './call.ts'

/** The link of a page of a list to itself. */
export function pageLink({ publicUrl }: Reading, path: string, { page, pageSize }: { page: number; pageSize: number }) {
  return { href: `${publicUrl}${path}?page_size=${pageSize}&page=${page}`, rel: 'self', method: 'GET' }
}
