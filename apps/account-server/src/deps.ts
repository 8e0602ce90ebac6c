import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { AccountConfig } from './config.ts'
import type { RenderInvoice } from './features/orders/invoice-pdf/renderer.ts'
import type { CardProvider } from './outside/card-provider/card-provider.ts'
import type { ValidateTicket } from './outside/cas.ts'
import type { FetchInvoiceFile } from './outside/invoice-files.ts'
import type { Pages } from './page/pages.ts'

/** The dependencies of features. Time enters as `clock()`. */
export interface Deps {
  config: AccountConfig
  db: Db
  clock: () => Date
  logger: FastifyBaseLogger
  /** For work that follows a transaction. */
  jobs: Pick<Jobs, 'send'>
  validateTicket: ValidateTicket
  fetchInvoiceFile: FetchInvoiceFile
  renderInvoice: RenderInvoice
  cards: CardProvider
  pages: Pages
}
