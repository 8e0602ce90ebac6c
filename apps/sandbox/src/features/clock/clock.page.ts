import { type Html, html } from '../../page/html.ts'
import type { Due } from './due-source.ts'

/** What the buttons move the clock by. */
export const stops = ['next', 'day', 'week', 'month', 'year'] as const

const labels: Readonly<Record<(typeof stops)[number], string>> = {
  next: 'To the next thing due',
  day: 'A day',
  week: 'A week',
  month: 'A month',
  year: 'A year',
}

interface Shown {
  now: Date
  next: (Due & { source: string })[]
  /** Why the last move stopped. */
  trouble?: string
}

/** Shows the business clock and what happens next, with buttons that move it. */
export function clockPage({ now, next, trouble }: Shown) {
  return {
    title: 'Business clock',
    standsFor: 'the calendar',
    content: html`
<p class="lead">Renewals, retries and ends follow this clock. Sessions, codes, signatures and mail follow the real time.</p>
${trouble && html`<p class="card" role="alert">${trouble}</p>`}
<p class="card"><strong>${written(now)}</strong></p>
<form class="bar" action="/clock/advance" method="post">
${stops.map((by) => html`<button name="by" value="${by}">${labels[by]}</button>`)}
</form>
<h2>Next</h2>
${next.length > 0 ? table(next) : html`<p class="card">Nothing is due.</p>`}`,
  }
}

function table(next: Shown['next']): Html {
  return html`<div class="scroll" role="region" aria-label="Next" tabindex="0"><table>
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Who</th></tr></thead>
<tbody>${next.map(({ at, title, source }) => html`<tr><td>${written(at)}</td><td>${title}</td><td>${source}</td></tr>`)}</tbody>
</table></div>`
}

function written(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
