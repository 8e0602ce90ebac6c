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
    coming ??= Promise.race([load(), tooLate()]).then(
      (component) => {
        loaded = component
        return component
      },
      async (problem) => {
        coming = undefined
        throw await reasonOf(problem)
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

/** A browser waits forever. */
const timeoutMs = 20_000

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new CallProblem('offline')), timeoutMs))
}

/** Code that a newer page has replaced is gone for good; whatever else keeps it away will pass. */
async function reasonOf(problem: unknown): Promise<unknown> {
  const isServerThere = await fetch(location.href, { method: 'HEAD', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  )
  return isServerThere ? problem : new CallProblem('offline')
}
