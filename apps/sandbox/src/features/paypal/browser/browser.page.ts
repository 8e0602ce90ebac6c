import { type Html, html } from '../../../page/html.ts'

/** The page of the button's frame. Its script creates the button. @param merchant origin of the page that embeds it */
export function buttonPage(merchant: string): Html {
  return html`<!doctype html>
<html lang="en" data-merchant="${merchant}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox – PayPal</title>
<link rel="stylesheet" href="button.css">
<script type="module" src="button.js"></script>
</head>
<body></body>
</html>
`
}

/** Allows only our own script, and only the merchant’s page may embed it. */
export function buttonPolicy(merchant: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${merchant}`,
  ].join('; ')
}

/** Shown in the popup until the merchant has created what is to be approved. */
export const loadingPage = {
  title: 'One moment, please',
  standsFor: 'the PayPal-type provider',
  isAlone: true,
  content: html`<p class="lead" role="status">The merchant is preparing the payment.</p>`,
}
