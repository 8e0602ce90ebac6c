import { useQuery } from '@tanstack/react-query'
import { loadablePart } from '../../../page/loadable-part.tsx'
import { offeredQuery } from './offered.data.ts'

const OfferedNotices = loadablePart(async () => (await import('./offered-notices.tsx')).OfferedNotices)

/** Trials that wait for the member's answer, which most members never have. */
export function Offered() {
  const { data } = useQuery(offeredQuery)
  return data && data.list.length > 0 ? <OfferedNotices /> : null
}
