import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { writeInvoice } from './invoices.service.ts'
import { makeOrderArchive, type OrderArchiveJob, orderArchiveQueue } from './order-archive.service.ts'
import { invoicesToWrite } from './orders.queries.ts'

export const invoicesQueue = 'orders.invoices'

/** A completed order whose invoice is to be written. */
interface InvoiceJob {
  orderNumber: string
}

export async function ordersJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<InvoiceJob>(invoicesQueue, ({ orderNumber }) => writeInvoice(deps, orderNumber))
  // Each makes one document at a time.
  await jobs.work<OrderArchiveJob>(orderArchiveQueue, ({ archiveId }) => makeOrderArchive(deps, archiveId), {
    atOnce: 2,
  })
  await jobs.schedule('orders.missing-invoices', '23 * * * *', () => writeMissingInvoices(deps))
}

/** Of orders that were completed without a job, such as by a take-over. */
export async function writeMissingInvoices(deps: Deps): Promise<void> {
  const orderNumbers = await invoicesToWrite(deps.db)
  await deps.db.transaction(async (tx) => {
    for (const orderNumber of orderNumbers) await deps.jobs.send(tx, invoicesQueue, { orderNumber }, orderNumber)
  })
}
