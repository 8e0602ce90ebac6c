import { Worker } from 'node:worker_threads'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import type { RenderReply, RenderRequest } from './invoice-worker.ts'

interface Waiting {
  resolve(pdf: Buffer): void
  reject(fault: Error): void
}

interface RendererOptions {
  /** Documents that are drawn or wait for it; a further caller is told that we are busy. */
  most?: number
  /** Milliseconds that one document never needs. */
  patience?: number
}

/**
 * Draws documents in a thread of its own, one after the other: each is a tenth of a second of pure computing, in which the
 * server would answer nobody. The thread starts on first need, and does not keep the program from ending.
 */
export function newRenderer({ most = 20, patience = 15_000 }: RendererOptions = {}) {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let alarm: NodeJS.Timeout | undefined
  let lastId = 0

  /** The thread is lost, or hangs: whoever waits for it is told, and the next one gets a new thread. */
  function giveUp(fault: Error): void {
    const lost = worker
    worker = undefined
    for (const caller of waiting.values()) caller.reject(fault)
    waiting.clear()
    void lost?.terminate()
  }

  /** Counts from the last sign of life, for as long as somebody waits. */
  function watch(): void {
    clearTimeout(alarm)
    if (waiting.size === 0) return
    alarm = setTimeout(() => giveUp(new Error(`an invoice was not drawn within ${patience} ms`)), patience)
  }

  function startWorker(): Worker {
    const started = new Worker(new URL('./invoice-worker.ts', import.meta.url))
    started.unref()
    started.on('error', (fault) => {
      if (started === worker) giveUp(fault)
    })
    started.on('message', (reply: RenderReply) => {
      const caller = waiting.get(reply.id)
      waiting.delete(reply.id)
      watch()
      if ('pdf' in reply) caller?.resolve(Buffer.from(reply.pdf))
      else caller?.reject(new Error(reply.fault))
    })
    return started
  }

  /** Throws `overloaded` when too many wait. */
  return async (invoice: InvoiceDocument): Promise<Buffer> => {
    if (waiting.size >= most) throw new Problem('overloaded', { retryAfter: 5 })
    worker ??= startWorker()
    const thread = worker
    lastId += 1
    const id = lastId
    return new Promise<Buffer>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      if (waiting.size === 1) watch()
      thread.postMessage({ id, invoice } satisfies RenderRequest)
    })
  }
}

export const renderInTurn = newRenderer()
