import { createHash } from 'node:crypto'
import { idempotencyHeader } from '@atrium/contract/problem.ts'
import type { FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** One act of a person, however often its request comes: sent again with the same key, it happens once. */
export interface Act {
  /** The page’s own, 1 to 255 visible ASCII characters. */
  key: string
  /** Of what was asked: another request under the same key is a mistake. */
  print: string
}

/** @throws Problem `malformed` where the header is no key */
export function actOf(request: FastifyRequest): Act | undefined {
  const key = request.headers[idempotencyHeader]
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) throw new Problem('malformed')

  const asked = JSON.stringify([request.method, request.routeOptions.url, request.params, request.body])
  return { key, print: createHash('sha256').update(asked).digest('base64url') }
}
