import { downloadArchive } from '@atrium/contract/archives.ts'
import { exportOrders, readOrderArchive, requestOrderArchive } from '@atrium/contract/order-files.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, callOnce } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'
import { loadFile, saveFile } from '../../api/save-file.ts'
import { usePage } from '../../page/page-data.ts'
import type { OrdersFilter } from './orders.search.ts'

/** Milliseconds between two looks at an archive that is being prepared. */
const pollMs = 2000

/**
 * Read again when the page is looked at: it expires, and another window may have replaced it. It fails in silence: the list beside it
 * asks to sign in again.
 */
export const orderArchiveQuery = queryOptions({
  queryKey: ['order-archive'],
  queryFn: ({ signal }) => callOnce(readOrderArchive, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.orderArchive?.file === null ? pollMs : false),
  refetchOnWindowFocus: 'always',
})

export function useRequestOrderArchive() {
  const { locale } = usePage()
  const queryClient = useQueryClient()
  const request = useMutation({
    mutationFn: (filter: OrdersFilter) => call(requestOrderArchive, { body: { ...filter, lang: locale.code } }),
    onSuccess: (fresh) => storeReply(queryClient, orderArchiveQuery.queryKey, fresh),
  })
  useLoadedOnceReady(request.data?.orderArchive?.id)
  return request
}

/** Whoever asked for an archive, and stays, has its file without another press. */
function useLoadedOnceReady(id: string | undefined) {
  const { data } = useQuery(orderArchiveQuery)
  const isReady = id !== undefined && data?.orderArchive?.id === id && data.orderArchive.file !== null
  useEffect(() => {
    if (isReady) loadArchive(id)
  }, [id, isReady])
}

function loadArchive(id: string): void {
  loadFile(downloadArchive.path.replace(':id', id))
}

/** Loads the file, unless the page was open for so long that it is gone. @returns whether it is still there */
export function useSaveOrderArchive() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(): Promise<boolean> {
      // Asks to sign in again if need be: a link alone would fail without a word.
      const { orderArchive } = await queryClient.fetchQuery({
        ...orderArchiveQuery,
        queryFn: ({ signal }) => call(readOrderArchive, {}, { signal }),
        staleTime: 0,
      })
      if (!orderArchive?.file) return false
      loadArchive(orderArchive.id)
      return true
    },
  })
}

export function useExportOrders() {
  const { locale } = usePage()
  return useMutation({
    mutationFn: (filter: OrdersFilter) => call(exportOrders, { query: { ...filter, lang: locale.code } }),
    onSuccess: saveFile,
  })
}
