/** CAS 3.0 §2.5.3 and §2.7.3. */
export type CasErrorCode =
  | 'INVALID_REQUEST'
  | 'INVALID_TICKET_SPEC'
  | 'UNAUTHORIZED_SERVICE_PROXY'
  | 'INVALID_PROXY_CALLBACK'
  | 'INVALID_TICKET'
  | 'INVALID_SERVICE'
  | 'UNAUTHORIZED_SERVICE'
  | 'INTERNAL_ERROR'

interface CasSuccess {
  user: string
  /** In output order; absent before CAS 3. Of a list, each value is an element of its own. */
  attributes?: Readonly<Record<string, string | boolean | readonly string[]>>
}

interface CasFailure {
  code: CasErrorCode
  description: string
}

export type CasAnswer =
  | { kind: 'authenticationSuccess'; success: CasSuccess }
  | { kind: 'authenticationFailure' | 'proxyFailure'; failure: CasFailure }

/** `<cas:serviceResponse>` (CAS 3.0, appendix A). */
export function casXml(answer: CasAnswer): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<cas:serviceResponse xmlns:cas="http://www.yale.edu/tp/cas">
${answer.kind === 'authenticationSuccess' ? successXml(answer.success) : failureXml(answer.kind, answer.failure)}
</cas:serviceResponse>
`
}

function successXml({ user, attributes }: CasSuccess): string {
  const lines = Object.entries(attributes ?? {}).flatMap(([name, value]) =>
    [value].flat().map((one) => `      <cas:${name}>${escapeXml(String(one))}</cas:${name}>`),
  )
  const block = attributes ? `\n    <cas:attributes>\n${lines.join('\n')}\n    </cas:attributes>` : ''
  return `  <cas:authenticationSuccess>
    <cas:user>${escapeXml(user)}</cas:user>${block}
  </cas:authenticationSuccess>`
}

function failureXml(kind: 'authenticationFailure' | 'proxyFailure', { code, description }: CasFailure): string {
  return `  <cas:${kind} code="${code}">${escapeXml(description)}</cas:${kind}>`
}

/** The same answer for `format=JSON` (CAS 3.0, appendix D). */
export function casJson(answer: CasAnswer): object {
  const body =
    answer.kind === 'authenticationSuccess'
      ? { authenticationSuccess: answer.success }
      : { [answer.kind]: answer.failure }
  return { serviceResponse: body }
}

/** Text for XML 1.0; characters that XML cannot represent are left out. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
