import { type Html, html } from '../../page/html.ts'
import { table } from '../../page/table.ts'
import { eventFaults, type Faults, requestFaults } from './faults.ts'

type Planned = Awaited<ReturnType<Faults['planned']>>

interface Section {
  /** Of the provider's pages: `/cards`. */
  root: `/${string}`
  /** What a pattern matches. */
  place: string
  faults: Planned
}

const faultNames: Readonly<Record<string, string>> = {
  delay: 'Request: answer late',
  reset: 'Request: cut the connection after the effect',
  error: 'Request: answer 500 after the effect',
  html: 'Request: answer a page in place of JSON, after the effect',
  rate_limit: 'Request: refuse with 429',
  drop: 'Event: never deliver it',
  reorder: 'Event: deliver it after later ones',
  repeat: 'Event: deliver it twice',
}

/** Forms that inject faults, and those that are planned. */
export function faultSection({ root, place, faults }: Section): Html {
  const options = [...requestFaults, ...eventFaults].map(
    (kind) => html`<option value="${kind}">${faultNames[kind]}</option>`,
  )
  return html`<h2>Misbehave</h2>
<form class="bar" action="${root}/faults" method="post">
<label>What <select name="kind">${options}</select></label>
<label>${place}, or type of event <input name="pattern" value="*" required maxlength="200" autocomplete="off"></label>
<label>How often <input type="number" name="times" value="1" min="1" max="1000" required></label>
<label>Milliseconds late <input type="number" name="milliseconds" value="2000" min="0" max="60000" required></label>
<button>Plan</button>
</form>
${faults.length > 0 && plannedFaults(root, faults)}`
}

function plannedFaults(root: string, faults: Planned): Html {
  const rows = faults.map(({ kind, pattern, remaining }) => [faultNames[kind] ?? kind, pattern, `${remaining} more`])
  return html`${table(['Planned', 'Where', 'How often'], rows)}
<form class="bar" action="${root}/faults/forget" method="post"><button>Behave again</button></form>`
}

/** How an event was delivered. Empty: to nobody. */
export function deliveryText(deliveries: readonly { outcome: string; attempts: number }[]): string {
  return deliveries.map(({ outcome, attempts }) => `${outcome} (${counted(attempts)})`).join(', ')
}

function counted(attempts: number): string {
  if (attempts === 0) return 'not tried yet'
  return attempts === 1 ? 'tried once' : `tried ${attempts} times`
}
