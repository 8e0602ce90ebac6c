import { type Html, html } from '../../../page/html.ts'
import { type Cell, table } from '../../../page/table.ts'
import { nextPeriodEnd } from '../store/due.rules.ts'
import { type AfterRetries, afterRetriesWords, type RetrySettings } from '../store/retries.rules.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { dayText } from '../subscriptions/texts.rules.ts'
import { moneyText } from '../wire/money.rules.ts'
import { link } from './object-link.page.ts'

export interface Billing {
  subscriptions: StoredOf<'subscription'>[]
  invoices: StoredOf<'invoice'>[]
  retries: RetrySettings
}

/** Subscriptions and invoices, with what a vendor does in the provider's dashboard. */
export function billingSections({ subscriptions, invoices, retries }: Billing): Html {
  return html`<h2>Subscriptions</h2>
${table(['Subscription', 'Status', 'Customer', 'Period ends', ''], subscriptions.map(subscriptionRow))}
<h2>Invoices</h2>
${table(['Invoice', 'Status', 'Customer', 'Total', 'Next attempt', ''], invoices.map(invoiceRow))}
<h2>Failed renewals</h2>
<p>Tried again after ${new Intl.ListFormat('en').format(retries.retryDays.map(String))} days.</p>
${retryForm(retries)}`
}

function subscriptionRow({ object }: Billing['subscriptions'][number]): Cell[] {
  const end = nextPeriodEnd(object)
  const holder = idOf(object.customer)
  return [
    link(object.id),
    object.cancel_at === null || object.ended_at !== null
      ? object.status
      : `${object.status}, ends ${dayText(object.cancel_at)}`,
    holder && link(holder),
    end !== null && dayText(end),
    object.ended_at === null && button(`subscriptions/${object.id}/cancel`, 'Cancel'),
  ]
}

function invoiceRow({ object, hidden }: Billing['invoices'][number]): Cell[] {
  const holder = idOf(object.customer)
  const { next_payment_attempt: next, status } = object
  const number =
    status === 'draft'
      ? link(object.id)
      : html`${link(object.id)} <a href="/cards/invoices/${hidden.token}">${object.number}</a>`
  return [
    number,
    status,
    holder && link(holder),
    moneyText(object.total, object.currency),
    next !== null && dayText(next),
    actionsOf(object.id, status, object.amount_paid > 0),
  ]
}

function actionsOf(id: string, status: string | null, isRefundable: boolean): Html | false {
  if (status === 'open') {
    return html`${button(`invoices/${id}/uncollectible`, 'Mark uncollectible')}${button(`invoices/${id}/void`, 'Void')}`
  }
  return status === 'paid' && isRefundable && button(`invoices/${id}/refund`, 'Refund')
}

function button(path: string, label: string): Html {
  return html`<form action="/cards/billing/${path}" method="post"><button>${label}</button></form>`
}

const outcomes: Readonly<Record<AfterRetries, string>> = {
  cancel: 'Cancel the subscription',
  unpaid: 'Mark the subscription unpaid',
  past_due: 'Leave the subscription past due',
  pause: 'Pause the subscription until it is paid',
  stay_paused: 'Pause the subscription until it is resumed',
}

function retryForm({ afterRetries }: RetrySettings): Html {
  const options = afterRetriesWords.map((word) =>
    word === afterRetries
      ? html`<option value="${word}" selected>${outcomes[word]}</option>`
      : html`<option value="${word}">${outcomes[word]}</option>`,
  )
  return html`<form class="bar" action="/cards/billing/retries" method="post">
<label>When all have failed <select name="afterRetries">${options}</select></label>
<button>Save</button>
</form>`
}
