import { createHash } from 'node:crypto'
import { idempotencyHeader } from '@atrium/contract/problem.ts'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** The key of a request that is to have one effect, however often it is sent. */
export interface IdempotencyKey {
  /** The caller's own, 1 to 255 visible ASCII characters. */
  key: string
  /** Of what was asked: another request under the same key is a mistake. */
  fingerprint: string
}

/** @throws Problem `malformed` where the header is not a key */
export function idempotencyKeyOf(request: FastifyRequest): IdempotencyKey | undefined {
  const key = request.headers[idempotencyHeader]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem('malformed')

  const asked = JSON.stringify([request.method, request.routeOptions.url, request.params, request.body])
  return { key, fingerprint: createHash('sha256').update(asked).digest('base64url') }
}
