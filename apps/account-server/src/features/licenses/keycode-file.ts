interface KeycodeFile {
  licenseId: string
  productName: string
  version: string
  edition: string
  platform: string
  language: string
  seats: number
  /** Epoch seconds; 0 means perpetual. */
  expirationDate: number
  holder: string
  keys: readonly string[]
}

/** The keys of a license as text: one header block, then one key per line. UTF-8. */
export function keycodeFile({ expirationDate, keys, ...facts }: KeycodeFile): string {
  const expiry = expirationDate === 0 ? 'Perpetual' : new Date(expirationDate * 1000).toISOString().slice(0, 10)
  const header = [
    ['License ID', facts.licenseId],
    ['Product', facts.productName],
    ['Version', facts.version],
    ['Edition', facts.edition],
    ['Platform', facts.platform],
    ['Language', facts.language],
    ['Seats', String(facts.seats)],
    ['Expires', expiry],
    ['Holder', facts.holder],
  ].map(([name, value]) => `${name}: ${oneLine(value ?? '')}`.trimEnd())
  return `${[...header, '', ...keys].join('\r\n')}\r\n`
}

/** Keeps a name with a line break on one line. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
