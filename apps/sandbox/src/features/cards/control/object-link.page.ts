import { type Html, html } from '../../../page/html.ts'

/** To the page of an object. */
export function link(id: string): Html {
  return html`<a href="/cards/objects/${id}">${id}</a>`
}
