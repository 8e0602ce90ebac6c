import type { z } from 'zod'

/**
 * One operation of the API. `serve` mounts it on a server, `call` requests it from the browser, and the OpenAPI description is
 * derived from it.
 */
export interface Endpoint {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify style, with a trailing slash: `/account/cards/:id/`. The slash is optional for callers. */
  path: `/${string}`
  summary: string
  /** Who may call. Default `member`: a signed-in member. `device`: a program that is not a browser and sends no Origin. */
  access?: 'member' | 'anyone' | 'device'
  /**
   * `read`: a support agent whom the member lets in may read it; without, they may not. Only for a GET that renders, stores and
   * applies nothing, and whose reply contains no key, token or ticket. Addresses of other programs are taken out of the reply.
   */
  support?: 'read'
  /**
   * Whether a GET changes something: then it is answered only for a call of our own page (`Sec-Fetch-Site: same-origin`), so that
   * no image or link of another site can cause it.
   */
  changesState?: true
  /**
   * What makes a call dear, and so how often a member may send it and its like: `provider` asks another company or the single sign-on,
   * `document` renders or exports, `search` reads every list. Then 429 `too_often`. Only where a member calls.
   */
  limit?: CallLimit
  /** Whether the page requests it by itself, again and again: that does not keep a session from ending when idle. */
  isPolled?: boolean
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodObject | z.ZodDiscriminatedUnion
  reply: z.ZodType
  /** Of a reply that is a file: a stream of bytes instead of JSON. */
  mediaType?: string
  /** Expected failures by code, in addition to the common problems of `problem.ts`. Anything else is a bug: 500. */
  problems?: Readonly<Record<string, DeclaredProblem>>
  /** Seconds that a browser may cache the reply. Default: `no-store`. */
  cacheSeconds?: number
}

/** The status of a problem; if it carries data, also the schema of `data` in the document. */
type DeclaredProblem = number | DataProblem

interface DataProblem {
  status: number
  data: z.ZodType
}

export type CallLimit = 'provider' | 'document' | 'search'

export function endpoint<const Definition extends Endpoint>(definition: Definition): Definition {
  return definition
}

type Part<Definition, Name extends string> =
  Definition extends Record<Name, infer Schema extends z.ZodType> ? Schema : undefined

type Sent<Definition, Name extends string> =
  Part<Definition, Name> extends z.ZodType ? { [Key in Name]: z.input<Part<Definition, Name>> } : unknown

type Received<Definition, Name extends string> =
  Part<Definition, Name> extends z.ZodType ? { [Key in Name]: z.output<Part<Definition, Name>> } : unknown

/** What a caller sends: `{ params, query, body }`, as far as the endpoint has them. */
export type EndpointRequest<Definition extends Endpoint> = Sent<Definition, 'params'> &
  Sent<Definition, 'query'> &
  Sent<Definition, 'body'>

/** What a handler receives, parsed. */
export type EndpointInput<Definition extends Endpoint> = Received<Definition, 'params'> &
  Received<Definition, 'query'> &
  Received<Definition, 'body'>

/** What a handler returns, before parsing. */
export type EndpointAnswer<Definition extends Endpoint> = z.input<Definition['reply']>

/** What a caller receives. */
export type EndpointReply<Definition extends Endpoint> = z.output<Definition['reply']>

/**
 * The problem of a member who signed in more than ten minutes ago. An endpoint that declares it is refused to them, and the page
 * lets them sign in again, then repeats the call: nothing else is needed.
 */
export const freshSignIn = { fresh_sign_in_required: 403 } as const

/** Whether an endpoint is only for who has just entered their credentials. */
export function needsFreshSignIn({ problems = {} }: Endpoint): boolean {
  return 'fresh_sign_in_required' in problems
}

/** What an endpoint declares for a code. */
export function declaredProblem({ problems }: Endpoint, code: string): Partial<DataProblem> {
  const declared = problems?.[code]
  return typeof declared === 'number' ? { status: declared } : { ...declared }
}

type Problems<Definition> = Definition extends { problems: infer Declared } ? Declared : unknown

/** Codes of an endpoint's problems that carry data. */
export type DataProblemCode<Definition extends Endpoint> = {
  [Code in keyof Problems<Definition>]: Problems<Definition>[Code] extends DataProblem ? Code & string : never
}[keyof Problems<Definition>]

type DataSchema<Definition, Code extends string> = Definition extends {
  problems: Record<Code, { data: infer Schema extends z.ZodType }>
}
  ? Schema
  : never

/** The data that a server passes to a problem, before parsing. */
export type ProblemAnswer<Definition extends Endpoint, Code extends string> = z.input<DataSchema<Definition, Code>>

/** The data that a caller receives with a problem. */
export type ProblemData<Definition extends Endpoint, Code extends string> = z.output<DataSchema<Definition, Code>>
