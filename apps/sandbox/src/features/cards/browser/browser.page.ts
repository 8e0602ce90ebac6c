import { type Html, html } from '../../../page/html.ts'

export const frameKinds = ['challenge', 'controller', 'element'] as const

interface Frame {
  kind: (typeof frameKinds)[number]
  /** Origin of the one page that may stand around it, and is spoken to. */
  merchant: string
  /** Whom customers allow to charge their cards. */
  business: string
}

/** A page of the browser SDK, to stand in a frame: its script makes everything in it. */
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

/** Only our own script runs, only our own API is called, and only the merchant’s page may stand around it. */
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
