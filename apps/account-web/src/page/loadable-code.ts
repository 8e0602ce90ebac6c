import { CallProblem } from '@atrium/ui/call-problem.ts'
import { queryOptions } from '@tanstack/react-query'
import type { ComponentType } from 'react'

let count = 0

/**
 * A component whose code is loaded once, on demand; a failed load is retried by the next use. It is a query, so that loaded
 * code renders immediately: a lazy component shows its fallback even then, and React keeps that for 300 ms.
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

/** Browsers have no timeout for it. */
const timeoutMs = 20_000

function tooLate(): Promise<never> {
  return new Promise((_resolve, reject) => setTimeout(() => reject(new CallProblem('offline')), timeoutMs))
}

/** Code that a newer version has replaced is gone for good; other failures are temporary. */
async function reasonOf(problem: unknown): Promise<unknown> {
  const isServerThere = await fetch(location.href, { method: 'HEAD', redirect: 'manual' }).then(
    ({ status }) => status < 500,
    () => false,
  )
  return isServerThere ? problem : new CallProblem('offline')
}
