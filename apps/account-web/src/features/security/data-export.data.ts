import { readDataExport, requestDataExport } from '@atrium/contract/data-export.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Milliseconds between two looks at a download that is being prepared. */
const pollMs = 3000

export const dataExportQuery = queryOptions({
  queryKey: ['data-export'],
  queryFn: ({ signal }) => call(readDataExport, {}, { signal }),
  refetchInterval: ({ state }) => (state.data?.dataExport?.file === null ? pollMs : false),
})

export function useRequestDataExport() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => call(requestDataExport, {}),
    onSuccess: (fresh) => queryClient.setQueryData(dataExportQuery.queryKey, fresh),
  })
}
