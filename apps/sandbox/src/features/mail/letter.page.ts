import { type Html, html } from '../../page/html.ts'
import { momentOf } from './moment.page.ts'

interface Letter {
  to: string
  from: string
  subject: string
  text: string
  html: string
  links: readonly string[]
  deliveries: number
  receivedAt: Date
  headers: readonly { name: string; value: string }[]
  attachments: readonly { name: string; type: string; bytes: number }[]
}

export function letterPage(letter: Letter) {
  return {
    title: letter.subject || '(no subject)',
    standsFor: 'every mailbox',
    content: html`
<p class="lead">To <a href="/mail?${new URLSearchParams({ to: letter.to }).toString()}">${letter.to}</a>, from ${letter.from}, ${momentOf(letter.receivedAt)}${letter.deliveries > 1 && `, arrived ${letter.deliveries} times`}</p>
${letter.html !== '' && formatted(letter.html)}
${letter.text !== '' && section('Plain text', html`<pre class="card">${letter.text}</pre>`)}
${letter.links.length > 0 && section('Links', html`<ul class="list">${letter.links.map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`)}</ul>`)}
${letter.attachments.length > 0 && section('Attachments', attachments(letter))}
${section('Headers', headers(letter))}`,
  }
}

/**
 * The letter's own markup, in a frame that runs no script, has no origin and cannot move the page around it: only a
 * link that is clicked opens, in a window of its own.
 */
function formatted(markup: string): Html {
  const framed = `<base target="_blank"><meta name="color-scheme" content="light">${markup}`
  return section(
    'Formatted',
    html`<iframe title="The letter" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" srcdoc="${framed}"></iframe>`,
  )
}

function attachments(letter: Letter): Html {
  return html`<ul class="list">${letter.attachments.map(({ name, type, bytes }) => html`<li>${name || '(no name)'} – ${type}, ${bytes} bytes</li>`)}</ul>`
}

function headers(letter: Letter): Html {
  return html`<div class="scroll" role="region" aria-label="Headers" tabindex="0"><table><tbody>${letter.headers.map(
    ({ name, value }) => html`<tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`,
  )}</tbody></table></div>`
}

function section(title: string, content: Html): Html {
  return html`<section><h2>${title}</h2>${content}</section>`
}
