import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { roadmapQuery } from './roadmap.data.ts'
import { RoadmapFilter, RoadmapSearch } from './roadmap.search.ts'
import { RoadmapBanner } from './roadmap-banner.tsx'
import { RoadmapList } from './roadmap-list.tsx'

/** 001 §2, "Roadmap". */
export function RoadmapScreen() {
  const { t: frame } = useTranslation('frame')
  const navigate = useNavigate()
  const [{ page = 1 }] = useAddress(RoadmapSearch)
  const [filter] = useAddress(RoadmapFilter)
  const { data } = useQuery(roadmapQuery(filter, page))
  const toProducts = {
    label: frame('tabs.my-products'),
    onOpen: () => void navigate({ to: '/account', search: { tab: 'my-products' } }),
  }

  return (
    <PageFrame title={frame('tabs.roadmap')} count={data?.total} breadcrumb={[toProducts]}>
      <RoadmapBanner />
      <RoadmapList />
    </PageFrame>
  )
}
