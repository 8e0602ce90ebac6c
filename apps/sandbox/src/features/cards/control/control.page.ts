import { type Html, html } from '../../../page/html.ts'
import { eventFaults, requestFaults } from '../../provider-kit/faults.ts'
import type { cardDeliveries, cardFaults } from '../store/cards.tables.ts'
import { idOf, type Stored, type StoredOf } from '../store/stored.ts'
import { type Billing, billingSections } from './billing.page.ts'
import { type Cell, link, table } from './table.page.ts'

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
<h2>Misbehave</h2>
${faultForm()}
${faults.length > 0 && plannedFaults(faults)}
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

const faultNames: Readonly<Record<string, string>> = {
  delay: 'Request: answer late',
  reset: 'Request: cut the connection after the effect',
  error: 'Request: answer 500 after the effect',
  html: 'Request: answer a page in place of JSON, after the effect',
  rate_limit: 'Request: refuse with 429',
  drop: 'Notice: never send it',
  reorder: 'Notice: send it after later ones',
  repeat: 'Notice: send it twice',
}

function faultForm(): Html {
  const options = [...requestFaults, ...eventFaults].map(
    (kind) => html`<option value="${kind}">${faultNames[kind]}</option>`,
  )
  return html`<form class="bar" action="/cards/faults" method="post">
<label>What <select name="kind">${options}</select></label>
<label>Path below /v1, or type of event <input name="pattern" value="*" required maxlength="200" autocomplete="off"></label>
<label>How often <input type="number" name="times" value="1" min="1" max="1000" required></label>
<label>Milliseconds late <input type="number" name="milliseconds" value="2000" min="0" max="60000" required></label>
<button>Plan</button>
</form>`
}

function plannedFaults(faults: Overview['faults']): Html {
  const rows = faults.map(({ kind, pattern, remaining }) => [faultNames[kind] ?? kind, pattern, `${remaining} more`])
  return html`${table(['Planned', 'Where', 'How often'], rows)}
<form class="bar" action="/cards/faults/forget" method="post"><button>Behave again</button></form>`
}

function intentRow({ object, hidden }: Overview['intents'][number]): Cell[] {
  const asked = hidden.challenge && html`<a href="/cards/authenticate/${hidden.challenge.token}">Answer 3-D Secure</a>`
  const holder = idOf(object.customer)
  return [link(object.id), object.status, holder && link(holder), asked]
}

function eventRow(event: StoredOf<'event'>['object'], deliveries: Overview['deliveries']): Cell[] {
  const own = deliveries.filter(({ eventId }) => eventId === event.id)
  const subject = 'id' in event.data.object ? String(event.data.object.id) : ''
  const sent = own.map(({ attempts, outcome }) => `${outcome} (${counted(attempts)})`).join(', ')
  const again = html`<form action="/cards/events/${event.id}/resend" method="post"><button>Send again</button></form>`
  return [html`<a href="/cards/objects/${event.id}">${event.type}</a>`, link(subject), sent, own.length > 0 && again]
}

function counted(attempts: number): string {
  if (attempts === 0) return 'not tried yet'
  return attempts === 1 ? 'tried once' : `tried ${attempts} times`
}
