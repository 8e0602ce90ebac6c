import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { Deps } from '../../deps.ts'
import { writeInvoice } from './invoices.service.ts'

export const invoicesQueue = 'orders.invoices'

/** A completed order whose invoice is to be written. */
interface InvoiceJob {
  orderNumber: string
}

export async function ordersJobs(jobs: Jobs, deps: Deps): Promise<void> {
  await jobs.work<InvoiceJob>(invoicesQueue, ({ orderNumber }) => writeInvoice(deps, orderNumber))
}
