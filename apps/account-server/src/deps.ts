import type { Db } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import type { LimitCalls } from '@atrium/server-kit/serve.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { AccountConfig } from './config.ts'
import type { RenderInvoice } from './features/orders/invoice-pdf/renderer.ts'
import type { CardProvider } from './outside/card-provider/card-provider.ts'
import type { ValidateTicket } from './outside/cas.ts'
import type { FetchCloudTicket } from './outside/cloud-tickets.ts'
import type { FetchInvoiceFile } from './outside/invoice-files.ts'
import type { Paypal } from './outside/paypal/paypal.ts'
import type { SsoAccounts } from './outside/sso.ts'
import type { Pages } from './page/pages.ts'

/** The dependencies of features. */
export interface Deps {
  config: AccountConfig
  db: Db
  /** Business time: renewals, ends, invitations, quotes. A trial on one machine may move it (`BUSINESS_CLOCK`). */
  clock: () => Date
  /** Real time: sessions, tickets, limits, signatures, calls of providers, retention. */
  wallClock: () => Date
  logger: FastifyBaseLogger
  /** Of endpoints with a `limit`. */
  limitCalls: LimitCalls
  /** For work that follows a transaction. */
  jobs: Pick<Jobs, 'send' | 'sendLater'>
  validateTicket: ValidateTicket
  fetchCloudTicket: FetchCloudTicket
  fetchInvoiceFile: FetchInvoiceFile
  renderInvoice: RenderInvoice
  cards: CardProvider
  paypal: Paypal
  sso: SsoAccounts
  pages: Pages
}
