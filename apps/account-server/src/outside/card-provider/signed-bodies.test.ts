import { isWholeText } from '@atrium/server-kit/text.ts'
import fc from 'fast-check'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { readCardEvent } from './events.ts'

const secret = 'whsec_thissecretisthetests'

test('no body that is rightly signed throws, and what is read of it can be stored', () => {
  const known = fc.constantFrom('event', 'v2.core.event', 'id', 'object', 'type', 'data', 'related_object', '__proto__')
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(known, fc.string({ unit: 'binary' }), fc.double(), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.oneof(known, fc.string()), tie('tree'), { maxKeys: 6 }),
    ),
  }))
  const body = fc.oneof(
    tree.map((value) => JSON.stringify(value)),
    fc
      .record({ object: known, id: tree, type: tree, data: tree, related_object: tree })
      .map((value) => JSON.stringify(value)),
    fc.string(),
  )
  const read = (payload: string) => {
    const now = new Date()
    const timestamp = Math.trunc(now.getTime() / 1000)
    const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return readCardEvent(Buffer.from(payload), { signature, secrets: [secret], now })
  }
  const isStorable = (payload: string) => {
    const event = read(payload)
    const texts = event ? Object.values(event) : []
    expect(texts.every((text) => text.length <= 255 && isWholeText(text))).toBe(true)
  }
  fc.assert(fc.property(body, isStorable), { numRuns: 1000 })
})
