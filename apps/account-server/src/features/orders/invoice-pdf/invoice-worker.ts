import { parentPort } from 'node:worker_threads'
import type { InvoiceDocument } from './invoice-document.ts'
import { renderInvoice } from './render-invoice.ts'

/** A request to the rendering thread. */
export interface RenderRequest {
  id: number
  invoice: InvoiceDocument
}

export type RenderReply = { id: number; pdf: Uint8Array } | { id: number; fault: string }

parentPort?.on('message', async ({ id, invoice }: RenderRequest) => {
  parentPort?.postMessage(await answer(id, invoice))
})

async function answer(id: number, invoice: InvoiceDocument): Promise<RenderReply> {
  try {
    return { id, pdf: await renderInvoice(invoice) }
  } catch (error) {
    return { id, fault: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}
