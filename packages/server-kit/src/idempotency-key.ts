import { createHash } from 'node:crypto'
import { idempotencyHeader } from '@atrium/contract/problem.ts'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** The key of a request that takes effect once, however often it is sent. */
export interface IdempotencyKey {
  /** Chosen by the caller: 1 to 255 visible ASCII characters. */
  key: string
  /** Of the request: a different one with the same key is refused. */
  fingerprint: string
}

/** @throws Problem `malformed` if the header is not a valid key */
export function idempotencyKeyOf(request: FastifyRequest): IdempotencyKey | undefined {
  const key = request.headers[idempotencyHeader]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem('malformed')

  const asked = JSON.stringify([request.method, request.routeOptions.url, request.params, request.body])
  return { key, fingerprint: createHash('sha256').update(asked).digest('base64url') }
}
