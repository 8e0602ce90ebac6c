import { expect, test } from 'vitest'
import { invoiceFileFetcher, largestInvoiceFile } from './invoice-files.ts'

const url = 'https://files.vendor.test/invoices/1.pdf'
const pdf = Buffer.from('%PDF-1.7 an invoice')

function fetcher(answer: (url: string) => Response | Promise<Response>, providerUrl = 'https://api.stripe.com') {
  const asked: { url: string; redirect: RequestInit['redirect'] }[] = []
  const fetchFile = invoiceFileFetcher({
    hosts: ['FILES.vendor.test'],
    providerUrl,
    async send(target, init) {
      asked.push({ url: String(target), redirect: init?.redirect })
      return answer(String(target))
    },
  })
  return { fetchFile, asked }
}

test('a PDF on an allowed host is fetched', async () => {
  const { fetchFile, asked } = fetcher(() => new Response(pdf))
  expect(await fetchFile(url)).toEqual(pdf)
  expect(asked).toEqual([{ url, redirect: 'manual' }])
})

const redirect = (location: string) => new Response(null, { status: 302, headers: { location } })
const stripe = 'https://pay.stripe.com/invoice/acct_1/live_1/pdf?s=ap'

test('the card provider’s document is fetched below its own domain, wherever it redirects there', async () => {
  const file = 'https://files.stripe.com/v1/1.pdf'
  const { fetchFile, asked } = fetcher((from) => (from === file ? new Response(pdf) : redirect(file)))
  expect(await fetchFile(stripe)).toEqual(pdf)
  expect(asked.map((one) => one.url)).toEqual([stripe, file])
})

test.each([
  'https://evil.test/1.pdf',
  'http://pay.stripe.com/1.pdf',
  'https://stripe.com.evil.test/',
  'http://127.0.0.1/',
])('a redirect to %s is not followed', async (to) => {
  const { fetchFile, asked } = fetcher(() => redirect(to))
  expect(await fetchFile(stripe)).toBeUndefined()
  expect(asked).toHaveLength(1)
})

test('redirects without an end are given up', async () => {
  const { fetchFile, asked } = fetcher(() => redirect('/again'))
  expect(await fetchFile(stripe)).toBeUndefined()
  expect(asked).toHaveLength(4)
})

test('documents of a provider with an address of its own are only there', async () => {
  const { fetchFile, asked } = fetcher(() => new Response(pdf), 'http://localhost:3002')
  expect(await fetchFile('http://localhost:3002/cards/invoice/1/pdf')).toEqual(pdf)
  expect(await fetchFile('http://localhost:3001/1.pdf')).toBeUndefined()
  expect(await fetchFile(stripe)).toBeUndefined()
  expect(asked).toHaveLength(1)
})

test.each([
  'http://files.vendor.test/1.pdf',
  'https://files.vendor.test:8443/1.pdf',
  'https://other.vendor.test/1.pdf',
  'https://files.vendor.test.evil.test/1.pdf',
  'file:///etc/passwd',
  'not an address',
])('%s is not requested', async (address) => {
  const { fetchFile, asked } = fetcher(() => new Response(pdf))
  expect(await fetchFile(address)).toBeUndefined()
  expect(asked).toEqual([])
})

test.each([
  ['a web page', () => new Response('<html>')],
  ['an empty file', () => new Response('')],
  ['a failure', () => new Response(pdf, { status: 404 })],
  ['a file that is too large', () => new Response(Buffer.concat([pdf, Buffer.alloc(largestInvoiceFile)]))],
  ['an interrupted answer', () => Promise.reject(new TypeError('fetch failed'))],
])('%s is not accepted as an invoice', async (_name, answer) => {
  expect(await fetcher(answer).fetchFile(url)).toBeUndefined()
})

test('reading from a server that never stops sending is aborted', async () => {
  let sent = 0
  const endless = new ReadableStream({
    pull(controller) {
      sent += 1
      controller.enqueue(sent === 1 ? pdf : new Uint8Array(1024 * 1024))
    },
  })
  expect(await fetcher(() => new Response(endless)).fetchFile(url)).toBeUndefined()
  expect(sent).toBeLessThan(20)
})
