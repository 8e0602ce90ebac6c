/** Replaces what PostgreSQL cannot store, so that every email is accepted. */
export function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** Every http(s) address in an email, in order, once. */
export function linksIn(text: string, html: string): string[] {
  const inHtml = [...html.matchAll(/\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/gi)].map(([, double, single]) =>
    decodeEntities(double ?? single ?? ''),
  )
  // Punctuation at the end of a sentence is not part of the address.
  const inText = [...text.matchAll(/\bhttps?:\/\/[^\s<>"]+/gi)].map(([address]) => address.replace(/[.,;:!?)\]]+$/, ''))

  const addresses = [...inHtml, ...inText].map((address) => address.trim())
  return [...new Set(addresses.filter((address) => /^https?:\/\//i.test(address)))]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi, (whole, hex, decimal, name) => {
    if (name) return entities[String(name).toLowerCase()] ?? whole
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
