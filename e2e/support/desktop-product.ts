import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { at } from './journey.ts'

/** A request of the vendor's product, without browser and cookies. */
export async function product(page: Page, act: 'activate' | 'validate' | 'deactivate', body: object) {
  const reply = await page.request.post(`${at.account}/activation/v1/${act}/`, { data: body })
  return { status: reply.status(), ...(await reply.json()) }
}

export function newMac(): string {
  return (randomBytes(6).toString('hex').toUpperCase().match(/../g) ?? []).join(':')
}

/** The product's server on the customer's machine, which receives the ticket from the browser. */
export async function desktopProduct() {
  let ticket = ''
  const server = createServer((request, response) => {
    ticket = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('ticket') ?? ticket
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Folio</title>You may close this window.')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    service: `http://127.0.0.1:${port}/signed-in`,
    ticket: () => ticket,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}
