import { html } from '../../../page/html.ts'
import { type Cell, table } from '../../../page/table.ts'
import { deliveryText, faultSection } from '../../provider-kit/control.page.ts'
import type { cardDeliveries, cardFaults } from '../store/cards.tables.ts'
import { idOf, type Stored, type StoredOf } from '../store/stored.ts'
import { type Billing, billingSections } from './billing.page.ts'
import { link } from './object-link.page.ts'

export interface Overview extends Billing {
  faults: (typeof cardFaults.$inferSelect)[]
  customers: StoredOf<'customer'>[]
  intents: (StoredOf<'setup_intent'> | StoredOf<'payment_intent'>)[]
  events: StoredOf<'event'>[]
  deliveries: (typeof cardDeliveries.$inferSelect)[]
  endpoints: StoredOf<'webhook_endpoint'>[]
}

const standsFor = 'the card provider'

/** Shows the provider's state, with forms to inject faults. */
export function overviewPage({ faults, customers, intents, events, deliveries, endpoints, ...billing }: Overview) {
  return {
    title: 'Card provider',
    standsFor,
    content: html`
<p class="lead">No card is real and no money moves. Pay with the provider’s published test cards, such as 4242 4242 4242 4242.</p>
${faultSection({ root: '/cards', place: 'Path below /v1', faults })}
<h2>Customers</h2>
${table(
  ['Customer', 'E-mail', 'Name'],
  customers.map(({ object }) => [link(object.id), object.email, object.name ?? null]),
)}
${billingSections(billing)}
<h2>Payments and setups</h2>
${table(['Intent', 'Status', 'Customer', 'Bank'], intents.map(intentRow))}
<h2>Events</h2>
${table(
  ['Event', 'Object', 'Notices', ''],
  events.map(({ object }) => eventRow(object, deliveries)),
)}
<h2>Told of events</h2>
${table(
  ['Address', 'Events', 'Status'],
  endpoints.map(({ object }) => [object.url, object.enabled_events.join(', '), object.status]),
)}`,
  }
}

/** An object as the API returns it. */
export function objectPage(object: Stored['object']) {
  return {
    title: object.id,
    standsFor,
    content: html`<p><a href="/cards">Card provider</a></p><pre class="card">${JSON.stringify(object, null, 2)}</pre>`,
  }
}

function intentRow({ object, hidden }: Overview['intents'][number]): Cell[] {
  const asked = hidden.challenge && html`<a href="/cards/authenticate/${hidden.challenge.token}">Answer 3-D Secure</a>`
  const holder = idOf(object.customer)
  return [link(object.id), object.status, holder && link(holder), asked]
}

function eventRow(event: StoredOf<'event'>['object'], deliveries: Overview['deliveries']): Cell[] {
  const own = deliveries.filter(({ eventId }) => eventId === event.id)
  const subject = 'id' in event.data.object ? String(event.data.object.id) : ''
  const again = html`<form action="/cards/events/${event.id}/resend" method="post"><button>Send again</button></form>`
  return [
    html`<a href="/cards/objects/${event.id}">${event.type}</a>`,
    link(subject),
    deliveryText(own),
    own.length > 0 && again,
  ]
}
