import { eq } from 'drizzle-orm'
import { finalizeInvoice, lockedInvoice, saveInvoice } from '../invoices/invoices.writes.ts'
import { addLines, removeLines } from '../invoicing/add-lines.ts'
import {
  addLinesParameters,
  createInvoiceParameters,
  payParameters,
  previewParameters,
  removeLinesParameters,
} from '../invoicing/invoices.parameters.ts'
import { createInvoice, deleteInvoice } from '../invoicing/manual.ts'
import { markUncollectibleOnRequest, payInvoice, voidOnRequest } from '../invoicing/pay-request.ts'
import { previewInvoice } from '../invoicing/preview.ts'
import type { Api } from '../requests/api.ts'
import { serveResource } from '../requests/resource.ts'
import { cardObjects } from '../store/cards.tables.ts'
import { byColumn, byCreated, byCustomer } from '../store/filters.ts'
import { find } from '../store/store.ts'
import { refuseConcurrent } from '../subscriptions/locked.ts'
import { boolean, oneOf, paging } from '../wire/parameters.rules.ts'
import { noSuch } from '../wire/refusal.ts'

export function invoicesApi(api: Api): void {
  // Before `/invoices/:id`, which would take it for an id.
  api.serve({ method: 'POST', path: '/invoices/create_preview', takes: previewParameters, run: previewInvoice })
  storedInvoices(api)
  invoiceActions(api)
  invoiceLists(api)
}

function storedInvoices(api: Api): void {
  api.serve({ method: 'POST', path: '/invoices', takes: createInvoiceParameters, run: createInvoice })

  serveResource(api, {
    kind: 'invoice',
    path: '/invoices',
    param: 'invoice',
    filters: {
      created: byCreated,
      customer: byCustomer,
      status: oneOf(['draft', 'open', 'paid', 'uncollectible', 'void'])
        .transform((status) => eq(cardObjects.status, status))
        .optional(),
      subscription: byColumn(cardObjects.subscription),
    },
    remove: deleteInvoice,
  })
}

function invoiceActions(api: Api): void {
  api.change('/invoices/:id/add_lines', addLinesParameters, addLines)
  api.change('/invoices/:id/remove_lines', removeLinesParameters, removeLines)
  api.change('/invoices/:id/pay', payParameters, payInvoice)
  api.change('/invoices/:id/void', {}, voidOnRequest)
  api.change('/invoices/:id/mark_uncollectible', {}, markUncollectibleOnRequest)

  api.serve({
    method: 'POST',
    path: '/invoices/:id/finalize',
    takes: { auto_advance: boolean().optional() },
    async run(call, { auto_advance }, { id }) {
      await refuseConcurrent(call, id)
      const final = await finalizeInvoice(call, await lockedInvoice(call, id))
      if (auto_advance === undefined || final.object.status !== 'open') return final.object
      return (await saveInvoice(call, final, { ...final, object: { ...final.object, auto_advance } })).object
    },
  })
}

function invoiceLists(api: Api): void {
  api.serve({
    method: 'GET',
    path: '/invoices/:id/lines',
    takes: { limit: paging.limit, starting_after: paging.starting_after },
    async run({ tx }, { limit, starting_after: after }, { id }) {
      const found = await find(tx, 'invoice', id)
      if (!found) throw noSuch('invoice', id, { param: 'invoice', status: 404 })
      const lines = found.hidden.lines.map(({ line }) => line)
      const start = after === undefined ? 0 : lines.findIndex((line) => line.id === after) + 1
      if (after !== undefined && start === 0) throw noSuch('line item', after, { param: 'starting_after' })
      const data = lines.slice(start, start + limit)
      return { object: 'list', data, has_more: start + limit < lines.length, url: `/v1/invoices/${id}/lines` }
    },
  })
}
