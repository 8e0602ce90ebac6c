import { CallProblem } from '@atrium/ui/call-problem.ts'
import { queryOptions } from '@tanstack/react-query'
import type { ComponentType } from 'react'

let count = 0

/**
 * A component whose code comes when it is wanted, once; a load that failed is made again by the next who wants it. As a
 * query, what has been loaded before is there at once: a lazy component shows its fallback even then, and React keeps
 * that for 300 ms.
 */
export function loadableCode<Props>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined
  let coming: Promise<ComponentType<Props>> | undefined

  function loadCode(): Promise<ComponentType<Props>> {
    coming ??= load().then(
      (component) => {
        loaded = component
        return component
      },
      (problem) => {
        coming = undefined
        // The page is out of date only where the server could be asked.
        throw navigator.onLine ? problem : new CallProblem('offline')
      },
    )
    return coming
  }

  const code = queryOptions({
    queryKey: ['code', count++],
    queryFn: loadCode,
    initialData: () => loaded,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
  return { code, loadCode }
}
