import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { NoMatch } from '../../page/no-match.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { activityQuery } from './activity.data.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityFilter, SecuritySearch } from './security.search.ts'
import classes from './security-settings-screen.module.css'
import { useActivityColumns } from './use-activity-columns.tsx'

/** What happened in the account, with the filters of the address. */
export function ActivitySection() {
  const { t } = useTranslation('activity')
  const [filter] = useAddress(ActivityFilter)
  const [{ page = 1 }, changeAddress] = useAddress(SecuritySearch)
  const { data } = useQuery(activityQuery(filter, page))
  const columns = useActivityColumns()
  const isFiltered = filter.who !== undefined || filter.area !== undefined

  const change = (changes: ActivityFilter) => changeAddress({ ...changes, page: undefined }, { resetScroll: false })
  const clear = () => change({ who: undefined, area: undefined })

  return (
    <section aria-labelledby="activity">
      <div className={classes.sectionHead}>
        <h2 id="activity">{t('title')}</h2>
        <p className={classes.lead}>{t('lead')}</p>
        {data?.isComplete === false && (
          <p className={classes.lead} role="status">
            {t('incomplete')}
          </p>
        )}
      </div>
      <div className={classes.filters}>
        <ActivityFilters filter={filter} onChange={change} onClear={isFiltered ? clear : undefined} />
      </div>
      <PagedList
        isBelow
        label={t('title')}
        columns={columns}
        rowKey={({ id }) => id}
        query={(wanted) => activityQuery(filter, wanted)}
        read={({ list, total }) => ({ rows: list, total })}
        empty={
          isFiltered ? (
            <NoMatch sentence={t('noMatch')} onClear={clear} />
          ) : (
            <EmptyState picture="papers" sentence={t('empty')} />
          )
        }
      />
    </section>
  )
}
