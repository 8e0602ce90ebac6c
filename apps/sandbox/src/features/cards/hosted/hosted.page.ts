import { type Html, html } from '../../../page/html.ts'
import type { StoredOf } from '../store/stored.ts'
import { dayText } from '../subscriptions/texts.rules.ts'
import { moneyText } from '../wire/money.rules.ts'

const states: Readonly<Record<string, string>> = {
  open: 'Open',
  paid: 'Paid',
  uncollectible: 'Uncollectible',
  void: 'Void',
}

interface Choices {
  /** On file. */
  cards: readonly StoredOf<'payment_method'>[]
  /** The card about which the bank asks. */
  asked: StoredOf<'payment_method'> | undefined
}

/** An invoice, with a form to pay it while it is open. @param trouble why a payment was refused */
export function hostedPage({ object, hidden }: StoredOf<'invoice'>, { cards, asked }: Choices, trouble?: string) {
  const isOpen = object.status === 'open' || object.status === 'uncollectible'
  const money = (amount: number) => moneyText(amount, object.currency)
  return {
    title: `Invoice ${object.number}`,
    standsFor: 'the card provider',
    isAlone: true,
    content: html`
<p class="lead">No card is real and no money moves. ${states[object.status ?? '']}, ${dayText(object.created)}.</p>
${trouble && html`<p class="card" role="alert">${trouble}</p>`}
<div class="scroll" role="region" aria-label="Lines" tabindex="0"><table>
<thead><tr><th scope="col">What</th><th scope="col">When</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>
${hidden.lines.map(
  ({ line }) =>
    html`<tr><td>${line.description}</td><td>${dayText(line.period.start)} – ${dayText(line.period.end)}</td><td class="amount">${money(line.amount)}</td></tr>`,
)}
${sums(object, money).map(([name, amount]) => html`<tr><th scope="row" colspan="2">${name}</th><td class="amount">${amount}</td></tr>`)}
</tbody></table></div>
<p><a href="/cards/invoices/${hidden.token}/pdf">Download the invoice</a></p>
${isOpen && asked && confirmForm(hidden.token, asked)}
${isOpen && payForm(hidden.token, cards, money(object.amount_remaining))}`,
  }
}

function sums(invoice: StoredOf<'invoice'>['object'], money: (amount: number) => string): [string, string][] {
  const discount = (invoice.total_discount_amounts ?? []).reduce((all, { amount }) => all + amount, 0)
  const tax = (invoice.total_taxes ?? []).reduce((all, { amount }) => all + amount, 0)
  return [
    ...(discount > 0 ? [['Discount', money(-discount)] satisfies [string, string]] : []),
    ...(tax === 0 ? [] : [['Tax', money(tax)] satisfies [string, string]]),
    ['Total', money(invoice.total)],
    ['Due', money(invoice.amount_remaining)],
  ]
}

/** The real page has a button for it, too. */
function confirmForm(token: string, { object }: StoredOf<'payment_method'>): Html {
  return html`<h2>Confirm the payment</h2>
<form class="bar" action="/cards/invoices/${token}" method="post">
<input type="hidden" name="card" value="${object.id}">
<p>The bank asks the holder of ${object.card?.brand} •••• ${object.card?.last4} to confirm this payment.</p>
<button>Confirm the payment</button>
</form>`
}

function payForm(token: string, cards: readonly StoredOf<'payment_method'>[], due: string): Html {
  const onFile = cards.map(
    ({ object }) => html`<option value="${object.id}">${object.card?.brand} •••• ${object.card?.last4}</option>`,
  )
  return html`<h2>Pay ${due}</h2>
<form class="bar" action="/cards/invoices/${token}" method="post">
<label>Card <select name="card">${onFile}<option value="">Another card</option></select></label>
<label>Number <input name="number" inputmode="numeric" autocomplete="cc-number" placeholder="4242 4242 4242 4242" maxlength="40"></label>
<label>Expiry <input name="expiry" autocomplete="cc-exp" placeholder="12/34" maxlength="10"></label>
<label>Security code <input name="cvc" inputmode="numeric" autocomplete="cc-csc" placeholder="123" maxlength="10"></label>
<button>Pay ${due}</button>
</form>`
}
