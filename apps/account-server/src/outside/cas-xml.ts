import { SaxesParser, type SaxesTagNS } from 'saxes'

const casNamespace = 'http://www.yale.edu/tp/cas'
const samlProtocol = 'urn:oasis:names:tc:SAML:2.0:protocol'

export interface CasSuccess {
  user: string
  attributes: Readonly<Record<string, string>>
}

export type CasAnswer = CasSuccess | { failure: string }

/** Deeper and larger than any answer of the protocol: reading on would only cost time. */
const deepest = 8
const mostElements = 500

interface Element {
  name: string
  namespace: string
  attributes: Readonly<Record<string, string>>
  children: Element[]
  text: string
}

/**
 * Reads a CAS 3.0 `serviceResponse`. Whatever is not exactly that is a failure: a document type, an entity, two
 * answers, two users, another namespace. A failure beside a success wins.
 */
export function readServiceResponse(xml: string): CasAnswer {
  const root = readXml(xml)
  if (!root || !isCas(root, 'serviceResponse')) return { failure: 'MALFORMED' }

  const failure = root.children.find((child) => child.name === 'authenticationFailure')
  if (failure) return { failure: failure.attributes.code ?? 'UNKNOWN' }

  const [success, ...more] = root.children
  if (!success || more.length > 0 || !isCas(success, 'authenticationSuccess')) return { failure: 'MALFORMED' }

  const users = success.children.filter((child) => isCas(child, 'user'))
  const user = users[0]?.text.trim() ?? ''
  if (users.length !== 1 || user === '' || user.length > 255) return { failure: 'MALFORMED' }

  const attributes = success.children.find((child) => isCas(child, 'attributes'))
  return {
    user,
    attributes: Object.fromEntries((attributes?.children ?? []).map((child) => [child.name, child.text.trim()])),
  }
}

/** The ticket that a single-logout request names, or `undefined` where it is no such request. */
export function readLogoutRequest(xml: string): string | undefined {
  const root = readXml(xml)
  if (root?.name !== 'LogoutRequest' || root.namespace !== samlProtocol) return undefined
  const indexes = root.children.filter((child) => child.name === 'SessionIndex' && child.namespace === samlProtocol)
  return indexes.length === 1 ? indexes[0]?.text.trim() : undefined
}

function isCas(element: Element, name: string): boolean {
  return element.name === name && element.namespace === casNamespace
}

/** Elements only; `undefined` for anything that is not well-formed or brings a document type or entities of its own. */
function readXml(xml: string): Element | undefined {
  const parser = new SaxesParser({ xmlns: true })
  const open: Element[] = []
  let root: Element | undefined
  let refused = false
  let elements = 0

  parser.on('doctype', () => {
    refused = true
  })
  parser.on('error', () => {
    refused = true
  })
  parser.on('opentag', (tag) => {
    elements += 1
    if (open.length >= deepest || elements > mostElements) throw new Error('no CAS document is like this')
    const element = elementOf(tag)
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('text', (text) => addText(open, text))
  parser.on('cdata', (text) => addText(open, text))
  parser.on('closetag', () => {
    open.pop()
  })

  try {
    parser.write(xml).close()
  } catch {
    return undefined
  }
  return refused ? undefined : root
}

function elementOf(tag: SaxesTagNS): Element {
  const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ local, value }) => [local, value]))
  return { name: tag.local, namespace: tag.uri, attributes, children: [], text: '' }
}

function addText(open: readonly Element[], text: string): void {
  const element = open.at(-1)
  if (element) element.text += text
}
