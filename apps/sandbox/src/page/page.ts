import type { FastifyReply } from 'fastify'
import { type Html, html } from './html.ts'

interface Page {
  title: string
  /** The company that the page stands in for: "the vendor’s site". */
  standsFor: string
  content: Html
  /** Without navigation, because a customer is in the middle of a flow. */
  isAlone?: boolean
}

/** Forbids all scripts on pages of the sandbox. */
const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Allows inline styles too, which emails use. */
export const emailPolicy = policy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")

const places = [
  ['/mail', 'Inbox'],
  ['/cards', 'Cards'],
  ['/paypal', 'PayPal'],
  ['/identity', 'Login providers'],
  ['/clock', 'Clock'],
  ['/site', 'Vendor site'],
  ['/site/shopping', 'Shop'],
  ['/support/feedback', 'Support'],
  ['/admin-console', 'Admin console'],
] as const

/** Sends a page in the sandbox's layout, marked as a stand-in. */
export function sendPage(
  reply: FastifyReply,
  { title, standsFor, content, isAlone = false }: Page,
  contentPolicy = policy,
) {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – sandbox</title>
<link rel="stylesheet" href="/sandbox.css">
<link rel="icon" href="data:,">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header aria-label="Sandbox">
<p class="mark">Sandbox – stands for ${standsFor}</p>
${!isAlone && html`<nav aria-label="Stand-ins">${places.map(([path, name]) => html`<a href="${path}">${name}</a> `)}</nav>`}
</header>
<main id="content" tabindex="-1" aria-label="${title}">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  return reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': contentPolicy })
    .send(page.markup)
}
