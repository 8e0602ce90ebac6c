import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { NoMatch } from '../../page/no-match.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { NoItems } from './no-items.tsx'
import { roadmapQuery } from './roadmap.data.ts'
import classes from './roadmap.module.css'
import { acceptedFilter } from './roadmap.rules.ts'
import { noFilter, RoadmapFilter, RoadmapSearch } from './roadmap.search.ts'
import { useRoadmapColumns } from './roadmap-columns.tsx'
import { RoadmapFilters } from './roadmap-filters.tsx'
import { useRoadmapNames } from './use-roadmap-names.ts'

/** The roadmap with the filters of the address. */
export function RoadmapList() {
  const { t } = useTranslation('roadmap')
  const [{ page = 1 }, changeAddress] = useAddress(RoadmapSearch)
  const [filter] = useAddress(RoadmapFilter)
  const names = useRoadmapNames()
  const columns = useRoadmapColumns(names)
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const { data, error, isPlaceholderData } = useQuery(roadmapQuery(filter, page))
  const hasNone = data?.total === 0 && !isPlaceholderData && !isFiltered

  const change = (changes: Partial<RoadmapFilter>) => changeAddress({ ...changes, page: undefined })
  const clear = () => change(noFilter)

  const accepted = acceptedFilter(filter, error)
  if (accepted) return <Navigate to="/account" search={{ ...accepted, tab: 'roadmap' }} replace />

  return (
    <>
      {!hasNone && (
        <div className={classes.filters}>
          <RoadmapFilters
            filter={filter}
            names={names}
            choices={data}
            onChange={change}
            onClear={isFiltered ? clear : undefined}
          />
        </div>
      )}
      <PagedList
        label={t('list')}
        columns={columns}
        rowKey={({ key }) => key}
        query={(wanted) => roadmapQuery(filter, wanted)}
        read={({ list, total }) => ({ rows: list, total })}
        empty={isFiltered ? <NoMatch sentence={t('noMatch')} onClear={clear} /> : <NoItems />}
      />
    </>
  )
}
