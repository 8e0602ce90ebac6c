import { Worker } from 'node:worker_threads'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import type { RenderReply, RenderRequest } from './invoice-worker.ts'

interface Waiting {
  resolve(pdf: Buffer): void
  reject(fault: Error): void
}

interface RendererOptions {
  /** Documents in progress or waiting; further ones are refused as busy. */
  maxWaiting?: number
  /** Longer than any document needs. */
  timeoutMs?: number
}

export type RenderInvoice = (invoice: InvoiceDocument) => Promise<Buffer>

/**
 * The thread's own memory: little for what is new, which is garbage soon and would otherwise pile up; for the rest twice what the
 * longest document needs. More ends the thread, not the server.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 512 }

/**
 * Renders documents in a worker thread, one after the other: a usual one takes some hundredths of a second of CPU time, a long one
 * seconds, which would block the server. The thread starts on demand, and does not keep the process alive.
 */
export function newRenderer({ maxWaiting = 20, timeoutMs = 15_000 }: RendererOptions = {}): RenderInvoice {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let deadline: NodeJS.Timeout | undefined
  let lastId = 0

  /** The thread ended or hangs: rejects all waiting callers; the next one starts a new thread. */
  function replaceWorker(cause: Error): void {
    const lost = worker
    worker = undefined
    for (const caller of waiting.values()) caller.reject(new Problem('overloaded', { retryAfter: 5, cause }))
    waiting.clear()
    void lost?.terminate()
  }

  /** The deadline counts from the last reply, while there are waiting callers. */
  function restartDeadline(): void {
    clearTimeout(deadline)
    if (waiting.size === 0) return
    deadline = setTimeout(() => replaceWorker(new Error(`an invoice was not drawn within ${timeoutMs} ms`)), timeoutMs)
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./invoice-worker.ts', import.meta.url), { resourceLimits })
    started.on('error', (fault) => {
      if (started === worker) replaceWorker(fault)
    })
    started.on('message', (reply: RenderReply) => {
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      restartDeadline()
      if ('pdf' in reply) caller?.resolve(Buffer.from(reply.pdf))
      else caller?.reject(new Error(reply.fault))
    })
    // To listen to it refs it.
    started.unref()
    return started
  }

  /** Throws `overloaded` if the queue is full or the thread is lost. */
  return async (invoice) => {
    if (waiting.size >= maxWaiting) throw new Problem('overloaded', { retryAfter: 5 })
    worker ??= startWorker()
    const thread = worker
    lastId += 1
    const id = lastId
    return new Promise<Buffer>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      if (waiting.size === 1) restartDeadline()
      thread.postMessage({ id, invoice } satisfies RenderRequest)
    })
  }
}
