import type { FastifyReply } from 'fastify'
import type { RequestFault } from '../../provider-kit/faults.ts'
import type { Refusal } from '../wire/refusal.ts'
import type { SavedReply } from './idempotency.ts'

interface Answer extends SavedReply {
  fault: RequestFault | undefined
  /** A stored reply that is sent again. */
  isReplay: boolean
}

/** Sends the reply, or a planned fault instead of it. The effect of the request stands either way. */
export function answer(reply: FastifyReply, { status, body, fault, isReplay, requestId }: Answer) {
  if (fault === 'reset') {
    reply.hijack()
    return reply.raw.destroy()
  }
  if (fault === 'html') {
    return reply
      .code(200)
      .header('content-type', 'text/html; charset=utf-8')
      .send('<!doctype html><title>One moment</title><h1>One moment, please</h1>')
  }
  if (isReplay) reply.headers({ 'idempotent-replayed': 'true', 'original-request': requestId })
  return send(reply, status, body)
}

export function answerRefusal(reply: FastifyReply, { status, body }: Refusal) {
  return send(reply, status, { error: body })
}

/** Indented, as the provider's replies are. */
function send(reply: FastifyReply, status: number, body: object) {
  return reply
    .code(status)
    .header('content-type', 'application/json')
    .serializer((value: object) => JSON.stringify(value, null, 2))
    .send(body)
}
