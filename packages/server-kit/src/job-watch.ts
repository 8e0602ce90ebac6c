import { setTimeout as pause } from 'node:timers/promises'

interface Watch {
  executeSql(text: string, values: unknown[]): Promise<{ rows: { name: string }[] }>
  /** PostgreSQL schema of the queue's tables. */
  schema: string
  wake(workerId: string): void
  onFailure(error: Error): void
}

/** Milliseconds until a job that could run is noticed. */
const intervalMs = 500

/**
 * Asks for all queues together which of them have a job that could run, and wakes their workers: each worker that asked for itself
 * would ask a hundred times a second in a program that has nothing to do.
 */
export function watchQueues({ executeSql, schema, wake, onFailure }: Watch) {
  const workers = new Map<string, string[]>()
  const ended = new AbortController()

  const wakeOf = (queues: readonly string[]) => {
    for (const queue of queues) for (const worker of workers.get(queue) ?? []) wake(worker)
  }
  const waiting = `select queue.name from unnest($1::text[]) queue (name)
    where exists (
      select from ${schema}.job where job.name = queue.name and job.state < 'active' and job.start_after <= now()
    )`

  const watching = (async () => {
    while (!ended.signal.aborted) {
      await pause(intervalMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined)
      if (ended.signal.aborted || workers.size === 0) continue
      try {
        const { rows } = await executeSql(waiting, [[...workers.keys()]])
        wakeOf(rows.map(({ name }) => name))
      } catch (error) {
        onFailure(error instanceof Error ? error : new Error(String(error)))
      }
    }
  })()

  return {
    add(queue: string, workerId: string) {
      workers.set(queue, [...(workers.get(queue) ?? []), workerId])
    },
    wake: wakeOf,
    async stop() {
      ended.abort()
      await watching
    },
  }
}
