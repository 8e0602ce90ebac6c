export interface Place {
  title: string
  /** What a customer would find here. */
  sentence: string
}

interface Company {
  standsFor: string
  /** The path prefix of the company. */
  below: string
  home: Place
  /** Known pages by their path below the prefix, without leading and trailing slashes. */
  places: Readonly<Record<string, Place>>
}

/** Outbound paths of the account page (000 §2, 001 §2). Any other path below a company is answered too. */
export const companies: readonly Company[] = [
  {
    standsFor: 'the vendor’s site',
    below: '/site',
    home: { title: 'Home', sentence: 'The vendor presents its products here.' },
    places: {
      'company/privacy-policy.html': {
        title: 'Privacy policy',
        sentence: 'Here the vendor would say what it does with personal data.',
      },
      'contact-sales': { title: 'Contact sales', sentence: 'Here a customer would write to the sales team.' },
      quote: { title: 'Get a quote', sentence: 'Here a customer would ask for an offer.' },
      'quote/volume': { title: 'Volume quote', sentence: 'Here a customer would ask for the volume discount.' },
    },
  },
  {
    standsFor: 'the support site',
    below: '/support',
    home: { title: 'Support', sentence: 'Here a customer would find help.' },
    places: {
      feedback: { title: 'Feedback', sentence: 'Here a customer would say what could be better.' },
      tickets: { title: 'Tickets', sentence: 'Here a customer would follow what they reported.' },
    },
  },
  {
    standsFor: 'the admin console',
    below: '/admin-console',
    home: { title: 'Admin console', sentence: 'Here an administrator would manage the users of a company.' },
    places: {},
  },
  {
    standsFor: 'the portal of redact servers',
    below: '/redact-portal',
    home: { title: 'Redact server', sentence: 'Here a customer, signed in, would manage their redact server.' },
    places: {},
  },
  {
    standsFor: 'the storage',
    below: '/storage',
    home: { title: 'Storage', sentence: 'Here a customer, signed in, would manage their storage.' },
    places: {},
  },
]

/** `/de`, `/ja-jp`: the language prefix of a path. English has none. */
const prefix = /^\/([a-z]{2}(?:-[a-z]{2})?)(?=\/|$)/

/** The page at a path of a company, and its language (empty for English). */
export function placeAt(company: Company, pathBelow: string): { place: Place; localePrefix: string } {
  const localePrefix = prefix.exec(pathBelow)?.[1] ?? ''
  const path = pathBelow.replace(prefix, '').replace(/^\/+|\/+$/g, '')
  if (path === '') return { place: company.home, localePrefix }

  const known = Object.entries(company.places).find(([name]) => name === path)
  return { place: known?.[1] ?? { title: path, sentence: 'Some page that the account page leads to.' }, localePrefix }
}
