import { type Html, html } from '../../page/html.ts'
import { momentOf } from './moment.page.ts'

interface Email {
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

export function emailPage(email: Email) {
  return {
    title: email.subject || '(no subject)',
    standsFor: 'every mailbox',
    content: html`
<p class="lead">To <a href="/mail?${new URLSearchParams({ to: email.to }).toString()}">${email.to}</a>, from ${email.from}, ${momentOf(email.receivedAt)}${email.deliveries > 1 && `, arrived ${email.deliveries} times`}</p>
${email.html !== '' && formatted(email.html)}
${email.text !== '' && section('Plain text', html`<pre class="card">${email.text}</pre>`)}
${email.links.length > 0 && section('Links', html`<ul class="list">${email.links.map((link) => html`<li><a href="${link}" rel="noreferrer">${link}</a></li>`)}</ul>`)}
${email.attachments.length > 0 && section('Attachments', attachments(email))}
${section('Headers', headers(email))}`,
  }
}

/**
 * The email's HTML in a frame that runs no scripts, has no origin and cannot navigate the page around it. Links open in
 * a new window.
 */
function formatted(markup: string): Html {
  const framed = `<base target="_blank"><meta name="color-scheme" content="light">${markup}`
  return section(
    'Formatted',
    html`<iframe title="The email" sandbox="allow-popups allow-popups-to-escape-sandbox" referrerpolicy="no-referrer" srcdoc="${framed}"></iframe>`,
  )
}

function attachments(email: Email): Html {
  return html`<ul class="list">${email.attachments.map(({ name, type, bytes }) => html`<li>${name || '(no name)'} – ${type}, ${bytes} bytes</li>`)}</ul>`
}

function headers(email: Email): Html {
  return html`<div class="scroll" role="region" aria-label="Headers" tabindex="0"><table><tbody>${email.headers.map(
    ({ name, value }) => html`<tr><th scope="row">${name}</th><td><code>${value}</code></td></tr>`,
  )}</tbody></table></div>`
}

function section(title: string, content: Html): Html {
  return html`<section><h2>${title}</h2>${content}</section>`
}
