import { useQuery } from '@tanstack/react-query'
import { loadableScreen } from '../../../page/loadable-screen.tsx'
import { SectionBoundary } from '../../../page/section-boundary.tsx'
import { offeredQuery } from './offered.data.ts'

const { Screen: OfferedNotices } = loadableScreen(
  [],
  async () => (await import('./offered-notices.tsx')).OfferedNotices,
)

/** Trials that wait for the member's answer, with code that most members never need. */
export function Offered() {
  const { data } = useQuery(offeredQuery)
  if (!data || data.list.length === 0) return null
  return (
    <SectionBoundary skeleton={null}>
      <OfferedNotices />
    </SectionBoundary>
  )
}
