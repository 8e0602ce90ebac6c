import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { planPreviewCalls } from './plan-previews.ts'

test('what is sent and paid later is not changed here: nothing could be charged now', async () => {
  const invoice = { object: 'invoice', collection_method: 'send_invoice', lines: { data: [] } }
  const httpClient = Stripe.createFetchHttpClient(async () => Response.json(invoice))
  const { previewChange } = planPreviewCalls(new Stripe('sk_test_1', { httpClient }))
  const change = { id: 'sub_1', items: [], prorationDate: new Date() }
  await expect(previewChange(change)).rejects.toMatchObject({ kind: 'invalid' })
})
