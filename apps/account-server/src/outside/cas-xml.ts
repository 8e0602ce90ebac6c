import { emailFault, emailForm } from '@atrium/contract/email.ts'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import type { CasFailure } from './cas-failure.ts'

const casNamespace = 'http://www.yale.edu/tp/cas'
const samlProtocol = 'urn:oasis:names:tc:SAML:2.0:protocol'

export interface CasSuccess {
  user: string
  /** Without attributes that have several values, since it is undefined which of them counts. */
  attributes: Readonly<Record<string, string>>
  /** The values of those, where there are any: of a person's groups or roles, each counts. */
  lists?: Readonly<Record<string, readonly string[]>>
}

export type CasAnswer = CasSuccess | CasFailure

/** Deeper and larger than any answer of the protocol; parsing stops there. */
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
 * Reads a CAS 3.0 `serviceResponse`. Anything else is a failure: a document type, an entity, two answers, two users, another
 * namespace. A failure takes precedence over a success.
 */
export function readServiceResponse(xml: string): CasAnswer {
  const root = readXml(xml)
  if (!root) return malformed('not well-formed XML')
  if (!isCas(root, 'serviceResponse')) return malformed('not a serviceResponse')

  const refusal = root.children.find((child) => child.name === 'authenticationFailure')
  if (refusal) return { failure: 'refused', detail: protocolCode(refusal.attributes.code) }

  const [success, ...more] = root.children
  if (!success || more.length > 0 || !isCas(success, 'authenticationSuccess')) return malformed('not one answer')

  const users = success.children.filter((child) => isCas(child, 'user'))
  // Only the white space of an indented answer: other space may be what tells two users apart.
  const user = users[0]?.text.replaceAll(/^[ \t\r\n]+|(?<![ \t\r\n])[ \t\r\n]+$/g, '') ?? ''
  if (users.length !== 1 || user === '' || user.length > 255) return malformed('not one user')

  const values = attributeValues(success)
  return emailFailure(values.get('email')) ?? { user, attributes: unambiguous(values), ...lists(values) }
}

function malformed(detail: string): CasFailure {
  return { failure: 'malformed', detail }
}

/** For the log: a foreign server's text only if it looks like a code. */
function protocolCode(code = ''): string {
  return /^[A-Z_]{1,64}$/.test(code) ? code : 'UNKNOWN'
}

/** All values of all attributes that have one, by name. */
function attributeValues(success: Element): ReadonlyMap<string, readonly string[]> {
  const given = success.children.filter((child) => isCas(child, 'attributes')).flatMap(({ children }) => children)
  const values = new Map<string, string[]>()
  for (const { name, text } of given) {
    const value = text.trim()
    if (value !== '') values.set(name, [...(values.get(name) ?? []), value])
  }
  return values
}

/** The e-mail address decides whose account this is, so it must be exactly one address. */
function emailFailure(emails: readonly string[] = []): CasFailure | undefined {
  if (emails.length > 1) return { failure: 'email', detail: 'several values' }
  const [email] = emails
  if (email === undefined || !emailFault(emailForm(email))) return undefined
  return { failure: 'email', detail: 'not an e-mail address' }
}

function unambiguous(values: ReadonlyMap<string, readonly string[]>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...values].flatMap(([name, [value, ...others]]) =>
      value !== undefined && others.length === 0 ? [[name, value]] : [],
    ),
  )
}

function lists(values: ReadonlyMap<string, readonly string[]>): Pick<CasSuccess, 'lists'> {
  const several = [...values].filter(([, all]) => all.length > 1)
  return several.length > 0 ? { lists: Object.fromEntries(several) } : {}
}

/** The ticket of a single-logout request; undefined for anything else. */
export function readLogoutRequest(xml: string): string | undefined {
  const root = readXml(xml)
  if (root?.name !== 'LogoutRequest' || root.namespace !== samlProtocol) return undefined
  const indexes = root.children.filter((child) => child.name === 'SessionIndex' && child.namespace === samlProtocol)
  return indexes.length === 1 ? indexes[0]?.text.trim() : undefined
}

function isCas(element: Element, name: string): boolean {
  return element.name === name && element.namespace === casNamespace
}

/** Elements only; undefined for anything that is not well-formed or has a document type or entities. */
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
