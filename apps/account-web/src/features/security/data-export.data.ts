import { downloadArchive } from '@atrium/contract/archives.ts'
import { readDataExport, requestDataExport } from '@atrium/contract/data-export.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'
import { storeReply } from '../../api/query-client.ts'
import { loadFile } from '../../api/save-file.ts'

/** Milliseconds between two looks at a download that is being prepared. */
const pollMs = 3000

/** Read again when the page is looked at: it expires, and another window may have replaced it. */
export const dataExportQuery = queryOptions({
  queryKey: ['data-export'],
  queryFn: ({ signal }) => call(readDataExport, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.dataExport?.file === null ? pollMs : false),
  refetchOnWindowFocus: 'always',
})

export function useRequestDataExport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(requestDataExport, {}),
    onSuccess: (fresh) => storeReply(queryClient, dataExportQuery.queryKey, fresh),
  })
}

/** Loads the file, unless the page was open for so long that it is gone. @returns whether it is still there */
export function useDownloadDataExport() {
  const queryClient = useQueryClient()
  return useMutation({
    async mutationFn(): Promise<boolean> {
      // Asks to sign in again if need be: a link alone would fail without a word.
      const { dataExport } = await queryClient.fetchQuery({ ...dataExportQuery, staleTime: 0 })
      if (!dataExport?.file) return false
      loadFile(downloadArchive.path.replace(':id', dataExport.id))
      return true
    },
  })
}
