import { newDebugId } from './ids.rules.ts'

/** Why, and of which field. */
export interface Detail {
  issue: string
  description: string
  /** JSON pointer in the body, or name of a parameter. */
  field?: string
  value?: string
  location?: 'body' | 'path' | 'query'
}

interface Link {
  href: string
  rel: string
  method?: 'GET'
}

interface RefusalBody {
  name: string
  message: string
  details?: readonly Detail[]
  links?: readonly Link[]
}

/** A request that is answered with an error in PayPal's format. The transaction is rolled back. */
export class Refusal extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, { name, message, details = [], links }: RefusalBody) {
    super(`${name} ${details.map(({ issue }) => issue).join(' ')}`)
    this.name = 'Refusal'
    this.status = status
    this.body = {
      name,
      message,
      debug_id: newDebugId(),
      ...(details.length > 0 && { details }),
      links: links ?? [information(details[0]?.issue ?? name)],
    }
  }
}

/** Some errors about access have OAuth's format. */
export class OAuthRefusal extends Refusal {
  override readonly body: object

  constructor(status: number, error: string, description: string) {
    super(status, { name: error, message: description })
    this.body = { error, error_description: description }
  }
}

function information(issue: string): Link {
  return {
    href: `https://developer.paypal.com/api/rest/reference/errors/#${issue}`,
    rel: 'information_link',
    method: 'GET',
  }
}

/** 400: the request does not fit the schema. */
export function invalidRequest(details: readonly Detail[]): Refusal {
  const message = 'Request is not well-formed, syntactically incorrect, or violates schema.'
  return new Refusal(400, { name: 'INVALID_REQUEST', message, details })
}

/** 422: the request is well-formed, but cannot be done. */
export function unprocessable(details: readonly Detail[], links?: readonly Link[]): Refusal {
  const message = 'The requested action could not be performed, semantically incorrect, or failed business validation.'
  return new Refusal(422, { name: 'UNPROCESSABLE_ENTITY', message, details, ...(links && { links }) })
}

/** 422 with one issue. */
export function impossible(issue: string, description: string, field?: string): Refusal {
  return unprocessable([{ issue, description, ...(field !== undefined && { field, location: 'body' }) }])
}

/** 404: nothing has this id. */
export function notFound(): Refusal {
  return new Refusal(404, {
    name: 'RESOURCE_NOT_FOUND',
    message: 'The specified resource does not exist.',
    details: [{ issue: 'INVALID_RESOURCE_ID', description: 'No resource has the specified id.' }],
  })
}

/** 415: only JSON is taken. PayPal also requires the header of requests without a body. */
export function unsupportedMediaType(): Refusal {
  return new Refusal(415, {
    name: 'UNSUPPORTED_MEDIA_TYPE',
    message: "The server does not support the request payload's media type.",
  })
}

/** 409: another request with the same id, or on the same resource, is under way. */
export function inProgress(): Refusal {
  return new Refusal(409, {
    name: 'RESOURCE_CONFLICT',
    message: 'The server has detected a conflict while processing this request.',
    details: [{ issue: 'PREVIOUS_REQUEST_IN_PROGRESS', description: 'A previous request is still in progress.' }],
  })
}

/** 429 */
export function tooMany(): Refusal {
  return new Refusal(429, { name: 'RATE_LIMIT_REACHED', message: 'Too many requests. Blocked due to rate limiting.' })
}

/** 500: the request may have been executed or not. */
export function internalError(): Refusal {
  return new Refusal(500, { name: 'INTERNAL_SERVER_ERROR', message: 'An internal server error occurred.' })
}
