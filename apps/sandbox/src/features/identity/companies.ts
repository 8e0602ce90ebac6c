export const companyNames = ['google', 'facebook', 'microsoft', 'linkedin', 'education', 'lenovo'] as const
export type CompanyName = (typeof companyNames)[number]

/** How a login provider differs from a plain OpenID provider. */
export interface Company {
  title: string
  /** Whether it confirms that the e-mail address is the person's; others send an address without saying so. */
  confirmsEmail: boolean
  /** Whether it hosts mailboxes itself, and names the organization of those (`hd`). */
  hostsEmail?: boolean
  /** Whether it names itself in the authorization response (RFC 9207). */
  sendsIssuer: boolean
  /** What the person chooses at it: the tenant or the institution that manages the account. */
  realm?: { label: string; choices: readonly Realm[] }
  /** Its own paths of the protocol, below its address. */
  routes?: { authorization: string; token: string; jwks: string }
}

interface Realm {
  id: string
  name: string
}

/** The six login providers, with what their documentation says of them. */
export const companies: Readonly<Record<CompanyName, Company>> = {
  google: { title: 'Google', confirmsEmail: true, hostsEmail: true, sendsIssuer: true },
  // Plain OAuth 2: no ID token, and the person is read from `/me` with the fields that are asked for.
  facebook: {
    title: 'Facebook',
    confirmsEmail: false,
    sendsIssuer: false,
    routes: { authorization: '/dialog/oauth', token: '/oauth/access_token', jwks: '/jwks' },
  },
  // One address for all tenants, and an issuer for each.
  microsoft: {
    title: 'Microsoft',
    confirmsEmail: false,
    sendsIssuer: false,
    realm: {
      label: 'Tenant',
      choices: [
        { id: '9188040d-6c67-4c5b-b112-36a304b66dad', name: 'Personal accounts' },
        { id: '5f0c6a1e-0b1d-4a8e-9c5a-2f4b8f0d7c11', name: 'Contoso' },
        { id: 'a1b7d0c4-9d3e-4f52-8c77-6c0e5a9b3d22', name: 'Fabrikam' },
      ],
    },
    routes: {
      authorization: '/common/oauth2/v2.0/authorize',
      token: '/common/oauth2/v2.0/token',
      jwks: '/common/discovery/v2.0/keys',
    },
  },
  linkedin: {
    title: 'LinkedIn',
    confirmsEmail: true,
    sendsIssuer: false,
    routes: { authorization: '/v2/authorization', token: '/v2/accessToken', jwks: '/openid/jwks' },
  },
  education: {
    title: 'Education federation',
    confirmsEmail: true,
    sendsIssuer: true,
    realm: {
      label: 'Institution',
      choices: [
        { id: 'https://idp.northfield.test/entity', name: 'Northfield University' },
        { id: 'https://sso.elbe-hochschule.test/entity', name: 'Hochschule an der Elbe' },
        { id: 'https://login.kamogawa.test/entity', name: 'Kamogawa College' },
      ],
    },
  },
  lenovo: { title: 'Lenovo ID', confirmsEmail: true, sendsIssuer: true },
}
