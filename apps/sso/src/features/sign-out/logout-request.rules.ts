import { escapeXml } from '../cas/cas-reply.rules.ts'

interface Logout {
  ticket: string
  user: string
  /** ISO 8601. */
  endedAt: string
  /** The same on every delivery of one notice. */
  id: string
}

/** The SAML 2.0 message of single logout (CAS 3.0 §2.3.3). */
export function logoutRequest({ ticket, user, endedAt, id }: Logout): string {
  return [
    `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="LR-${escapeXml(id)}" Version="2.0" IssueInstant="${escapeXml(endedAt)}">`,
    `<saml:NameID>${escapeXml(user)}</saml:NameID>`,
    `<samlp:SessionIndex>${escapeXml(ticket)}</samlp:SessionIndex>`,
    '</samlp:LogoutRequest>',
  ].join('')
}
