import { type Html, html } from '../../../page/html.ts'
import { chargeOf, nextCycle } from '../plans/plans.rules.ts'
import type { Frequency, Money, Plan, Subscription } from '../store/stored.ts'
import { decimalsOf } from '../wire/money.rules.ts'
import type { Question } from './approval.queries.ts'
import { buyerOf } from './approval.rules.ts'

const frame = { standsFor: 'the PayPal-type provider', isAlone: true }

/** The buyer's page: what is asked, and three answers. @param channel of the button that opened it in a popup */
export function questionPage(question: Question, channel: string | undefined, now: Date) {
  const { asked, path, context } = question
  const action = channel === undefined ? path : `${path}&channel=${channel}`
  const rows = asked.kind === 'order' ? orderRows(asked) : subscriptionRows(asked, now)
  return {
    title: asked.kind === 'order' ? 'Approve the payment' : 'Approve the subscription',
    ...frame,
    content: html`
<p class="lead">No account is real, and no money moves: choose what the buyer does.</p>
<div class="scroll"><table><tbody>
${row('Merchant', context.brandName ?? 'The merchant')}
${row('Buyer', buyerOf(question).email)}
${rows}
</tbody></table></div>
<form class="bar" action="${action}" method="post">
<button name="answer" value="approve">${labelOf(question)}</button>
<button name="answer" value="no-funds">Approve, but have no funds</button>
${asked.kind === 'order' ? otherPayers : ''}
<button name="answer" value="cancel">Cancel and return</button>
</form>
<p>Without funds the approval succeeds, and every charge fails until that is changed on the <a href="/paypal">control page</a>. Closing this page answers nothing.</p>`,
  }
}

const otherPayers = html`<button name="answer" value="approve-other">Approve with another account</button>
<button name="answer" value="approve-guest">Pay by card, as a guest</button>`

/** Nothing was found, or it cannot be approved any more. */
export function noQuestionPage() {
  return {
    title: 'Nothing to approve',
    ...frame,
    content: html`<p class="lead">There is no payment or subscription at this address that waits for an approval.</p>`,
  }
}

/** Shown after the answer if the merchant gave no return address. */
export function answeredPage(isApproved: boolean) {
  return {
    title: isApproved ? 'Approved' : 'Canceled',
    ...frame,
    content: html`<p class="lead">You can close this page and return to the merchant.</p>`,
  }
}

/** Shown in a popup after the answer; its script tells the button and closes it. */
export function answeredInPopup(message: object): Html {
  return html`<!doctype html>
<html lang="en" data-message="${JSON.stringify(message)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Returning to the merchant – sandbox</title>
<link rel="stylesheet" href="/sandbox.css">
<link rel="icon" href="data:,">
<script type="module" src="/paypal/sdk/popup.js"></script>
</head>
<body><main><h1>Returning to the merchant</h1><p>You can close this window.</p></main></body>
</html>
`
}

function labelOf({ asked, context }: Question): string {
  if (asked.kind === 'order') return context.isContinue ? 'Continue' : 'Pay now'
  if (asked.subscription.approval?.revision) return 'Agree to the change'
  return context.isContinue ? 'Continue' : 'Subscribe now'
}

function row(name: string, value: string): Html {
  return html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`
}

function orderRows({ order }: Extract<Question['asked'], { kind: 'order' }>): Html[] {
  return order.units.map(({ description, total }) => row(description ?? 'Payment', moneyText(total)))
}

function subscriptionRows(asked: Extract<Question['asked'], { kind: 'subscription' }>, now: Date): Html[] {
  const { subscription, plan, revised } = asked
  const { currency, approval } = subscription
  if (approval?.revision && revised) {
    const changed = { ...subscription, ...approval.revision }
    return [
      row('So far', `${plan.name}, ${subscription.quantity} × ${priceText(plan, subscription, now)}`),
      row('From the next payment on', `${revised.name}, ${changed.quantity} × ${priceText(revised, changed, now)}`),
    ]
  }
  const fee = { amount: plan.setupFee, currency }
  return [
    row('Plan', plan.name),
    row('Quantity', subscription.quantity),
    ...(plan.setupFee > 0 ? [row('Setup fee', moneyText(fee))] : []),
    ...plan.cycles.map((cycle) => {
      const amount = chargeOf(plan, cycle, subscription, now)
      const times = cycle.totalCycles > 0 ? `, ${cycle.totalCycles} times` : ''
      const price = amount === 0 ? 'free' : moneyText({ amount, currency })
      return row(cycle.tenure === 'TRIAL' ? 'Trial' : 'Payments', `${price} ${periodText(cycle.frequency)}${times}`)
    }),
  ]
}

function priceText(plan: Plan, subscription: Subscription, now: Date): string {
  const cycle = plan.cycles.findLast(({ tenure }) => tenure === 'REGULAR') ?? nextCycle(plan, {})
  if (!cycle) return ''
  const amount = chargeOf(plan, cycle, { ...subscription, quantity: '1' }, now)
  return `${moneyText({ amount, currency: plan.currency })} ${periodText(cycle.frequency)}`
}

function periodText({ unit, count }: Frequency): string {
  return count === 1 ? `every ${unit.toLowerCase()}` : `every ${count} ${unit.toLowerCase()}s`
}

export function moneyText({ amount, currency }: Money): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency })
  return format.format(amount / 10 ** (decimalsOf(currency) ?? 2))
}
