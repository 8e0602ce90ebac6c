import { type Html, html } from '../../../page/html.ts'

export const frameKinds = ['challenge', 'controller', 'element'] as const

interface Frame {
  kind: (typeof frameKinds)[number]
  /** Origin of the only page that may embed it and exchange messages with it. */
  merchant: string
  /** The business that customers allow to charge their cards. */
  business: string
}

/** A page of the browser SDK for a frame. Its script creates its content. */
export function framePage({ kind, merchant, business }: Frame): Html {
  return html`<!doctype html>
<html lang="en" data-frame="${kind}" data-merchant="${merchant}" data-business="${business}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox – card provider</title>
<link rel="stylesheet" href="frames.css">
<script type="module" src="frames.js"></script>
</head>
<body></body>
</html>
`
}

/** Allows only our own script and API, and only the merchant’s page may embed it. */
export function framePolicy(merchant: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    'img-src data:',
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${merchant}`,
  ].join('; ')
}
