import { ListTable, type ListTableProps } from '@atrium/ui/list-table.tsx'
import {
  type FetchQueryOptions,
  type QueryKey,
  type UseQueryOptions,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { prefetch } from '../api/query-client.ts'
import { listPageSize, PageNumber } from './list-page.ts'
import { useAddress } from './use-address.ts'

interface Props<Reply, Row, Key extends QueryKey>
  extends Pick<ListTableProps<Row>, 'label' | 'columns' | 'rowKey' | 'empty' | 'failureSentence'> {
  /** The query of a page, from 1. Set `placeholderData: keepPreviousData`. */
  query(page: number): UseQueryOptions<Reply, Error, Reply, Key> & FetchQueryOptions<Reply, Error, Reply, Key>
  /** The rows of a reply, and the total. */
  read(reply: Reply): { rows: readonly Row[]; total: number }
  /** Below other content: another page of it does not scroll to the top. */
  isBelow?: boolean
}

const PageSearch = z.object({ page: PageNumber })

/**
 * A list whose page is in the address as `page`. The previous page stays visible while another one loads, the next one is
 * preloaded on hover, and an address beyond the end leads to the last page.
 */
export function PagedList<Reply, Row, Key extends QueryKey>({
  query,
  read,
  isBelow = false,
  ...list
}: Props<Reply, Row, Key>) {
  const [{ page = 1 }, changeAddress] = useAddress(PageSearch)
  const search = useSearch({ strict: false })
  const queryClient = useQueryClient()
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(query(page))
  const { rows, total } = data ? read(data) : { rows: undefined, total: 0 }
  // An empty previous result says nothing about the new request.
  const isWaiting = isPlaceholderData && total === 0

  // The address may name a page that does not exist, or not any more.
  const lastPage = Math.ceil(total / listPageSize)
  if (!isPlaceholderData && lastPage > 0 && page > lastPage) {
    return <Navigate to="/account" search={{ ...search, page: pageInAddress(lastPage) }} replace />
  }

  return (
    <ListTable
      {...list}
      rows={isWaiting ? undefined : rows}
      isStale={isPlaceholderData}
      problem={error}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
      paging={{
        page,
        pageSize: listPageSize,
        total,
        onPage: (next) => changeAddress({ page: pageInAddress(next) }, { resetScroll: !isBelow }),
        onPreload: (next) => void prefetch(queryClient, query(next)),
      }}
    />
  )
}

/** The first page is not written to the address. */
function pageInAddress(page: number): number | undefined {
  return page === 1 ? undefined : page
}
