import { type Html, html } from './html.ts'

export type Cell = Html | string | null | false

export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): Html {
  if (rows.length === 0) return html`<p class="card">Nothing yet.</p>`
  return html`<div class="scroll" role="region" aria-label="${heads[0]}" tabindex="0"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody>
</table></div>`
}
