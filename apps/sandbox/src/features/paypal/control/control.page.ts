import { type Html, html } from '../../../page/html.ts'
import { type Cell, table } from '../../../page/table.ts'
import { deliveryText, faultSection } from '../../provider-kit/control.page.ts'
import { moneyText } from '../approval/approval.page.ts'
import { orderApprovalLink } from '../orders/orders.wire.ts'
import { statusOf } from '../payments/sales.wire.ts'
import type { paypalDeliveries, paypalFaults } from '../store/paypal.tables.ts'
import type { Capture, Event, Order, Sale, Stored, Subscription, Webhook } from '../store/stored.ts'
import { approvalLink } from '../subscriptions/subscriptions.wire.ts'

export interface Overview {
  faults: (typeof paypalFaults.$inferSelect)[]
  subscriptions: Subscription[]
  orders: Order[]
  payments: (Sale | Capture)[]
  events: Event[]
  deliveries: (typeof paypalDeliveries.$inferSelect)[]
  webhooks: Webhook[]
}

const standsFor = 'the PayPal-type provider'

/** Shows the provider's state, with forms to act as the buyer and the merchant, and to inject faults. */
export function overviewPage(shown: Overview) {
  const { faults, subscriptions, orders, payments, events, deliveries, webhooks } = shown
  return {
    title: 'PayPal',
    standsFor,
    content: html`
<p class="lead">No account is real and no money moves. A client’s id begins with <code>client_</code>; its secret is the same with <code>secret_</code>.</p>
${faultSection({ root: '/paypal', place: 'Path', faults })}
<h2>Subscriptions</h2>
${table(['Subscription', 'Status', 'Next payment', 'Outstanding', 'Act'], subscriptions.map(subscriptionRow))}
<h2>Orders</h2>
${table(['Order', 'Status', 'Total', 'Act'], orders.map(orderRow))}
<h2>Payments</h2>
${table(['Payment', 'Of', 'Amount', 'Status', 'Act'], payments.map(paymentRow))}
<h2>Events</h2>
${table(
  ['Event', 'Deliveries', 'Act'],
  events.map((event) => eventRow(event, deliveries)),
)}
<h2>Webhooks</h2>
${table(
  ['Webhook', 'Address', 'Events'],
  webhooks.map(({ id, url, eventTypes }) => [id, url, eventTypes.join(', ')]),
)}
<div class="bar">${button('certificate/roll', 'Roll the certificate')}${button('tokens/expire', 'Expire all tokens')}</div>`,
  }
}

/** An object as it is stored. */
export function objectPage({ object }: Stored) {
  return {
    title: object.id,
    standsFor,
    content: html`<p><a href="/paypal">PayPal</a></p><pre class="card">${JSON.stringify(object, null, 2)}</pre>`,
  }
}

function subscriptionRow(subscription: Subscription): Cell[] {
  const { id, status, nextBillingAt, outstanding, currency, approval } = subscription
  const isOpen = status === 'ACTIVE' || status === 'SUSPENDED'
  const isAsked = approval && !approval.isApproved && (status === 'APPROVAL_PENDING' || status === 'ACTIVE')
  return [
    link(id),
    status,
    status === 'ACTIVE' &&
      nextBillingAt !== null &&
      html`<time datetime="${nextBillingAt}">${nextBillingAt.slice(0, 16).replace('T', ' ')}</time>`,
    outstanding > 0 && moneyText({ amount: outstanding, currency }),
    html`${isAsked && html`<a class="button" href="${approvalLink('', approval.token)}">Approve</a>`}
${fundsButton(subscription)}
${isOpen && latenessButton(subscription)}
${isOpen && echeckButton(subscription)}
${isOpen && button(`subscriptions/${id}/cancel-as-buyer`, 'Cancel as the buyer')}
${isOpen && button(`subscriptions/${id}/cancel-as-merchant`, 'Cancel as the merchant')}`,
  ]
}

function orderRow(order: Order): Cell[] {
  const { id, status, units } = order
  const isOpen = status !== 'COMPLETED' && status !== 'VOIDED'
  return [
    link(id),
    status,
    units.map(({ total }) => moneyText(total)).join(' + '),
    html`${isOpen && html`<a class="button" href="${orderApprovalLink('', id)}">Approve</a>`}
${isOpen && fundsButton(order)}
${isOpen && button(`orders/${id}/void`, 'Void')}`,
  ]
}

function fundsButton({ id, hasFunds }: Order | Subscription): Html {
  return hasFunds ? button(`funds/${id}/none`, 'No funds') : button(`funds/${id}/enough`, 'Funds again')
}

function latenessButton({ id, lateHours = 0 }: Subscription): Html {
  return lateHours > 0 ? button(`lateness/${id}/none`, 'Bill on time') : button(`lateness/${id}/day`, 'Bill a day late')
}

function echeckButton({ id, paysByEcheck }: Subscription): Html {
  return paysByEcheck ? button(`echecks/${id}/none`, 'Pay at once') : button(`echecks/${id}/always`, 'Pay by eCheck')
}

function paymentRow(payment: Sale | Capture): Cell[] {
  const status = statusOf(payment)
  return [
    link(payment.id),
    link('orderId' in payment ? payment.orderId : payment.subscriptionId),
    moneyText(payment.total),
    status,
    status === 'PENDING'
      ? html`${button(`payments/${payment.id}/clear`, 'Clear')}
${button(`payments/${payment.id}/deny`, 'Deny')}`
      : ['COMPLETED', 'PARTIALLY_REFUNDED'].includes(status) && button(`payments/${payment.id}/refund`, 'Refund'),
  ]
}

function eventRow(event: Event, deliveries: Overview['deliveries']): Cell[] {
  const own = deliveries.filter(({ eventId }) => eventId === event.id)
  return [
    html`<a href="/paypal/objects/${event.id}">${event.type}</a>`,
    deliveryText(own),
    own.length > 0 && button(`events/${event.id}/resend`, 'Send again'),
  ]
}

function button(path: string, label: string): Html {
  return html`<form action="/paypal/${path}" method="post"><button>${label}</button></form>`
}

function link(id: string): Html {
  return html`<a href="/paypal/objects/${id}">${id}</a>`
}
