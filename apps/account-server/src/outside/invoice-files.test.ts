import { expect, test } from 'vitest'
import { invoiceFileFetcher, largestInvoiceFile } from './invoice-files.ts'

const url = 'https://files.vendor.test/invoices/1.pdf'
const pdf = Buffer.from('%PDF-1.7 an invoice')

function fetcher(answer: () => Response | Promise<Response>) {
  const asked: { url: string; redirect: RequestInit['redirect'] }[] = []
  const fetchFile = invoiceFileFetcher({
    hosts: ['FILES.vendor.test'],
    async send(target, init) {
      asked.push({ url: String(target), redirect: init?.redirect })
      return answer()
    },
  })
  return { fetchFile, asked }
}

test('a PDF on an allowed host is fetched, without following redirects', async () => {
  const { fetchFile, asked } = fetcher(() => new Response(pdf))
  expect(await fetchFile(url)).toEqual(pdf)
  expect(asked).toEqual([{ url, redirect: 'error' }])
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
