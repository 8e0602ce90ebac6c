import { readComputer, releaseComputer } from '@atrium/contract/devices.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** What is active on the computer of a device, asked anew each time. */
export function useComputer(id: string) {
  return useQuery({
    // Not a part of `devices`: the list that was confirmed stays while its devices are released.
    queryKey: ['computer', id],
    queryFn: ({ signal }) => call(readComputer, { params: { id } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
}

/** Releases what was shown; the lists are loaded again, also if the answer was lost. */
export function useReleaseComputer(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (devices: string[]) => call(releaseComputer, { params: { id }, body: { devices } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['devices'] }),
  })
}
