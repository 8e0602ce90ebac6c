import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP forwarder on a loopback port, which tests can disturb. */
export interface Forwarder extends AsyncDisposable {
  port: number
  /** The initial target port. */
  target: number
  /** Ends open connections, and connects new ones to another port. */
  moveTo(port: number): void
  /** Ends all connections. */
  cut(): void
  /** Drops all traffic in both directions without closing connections. */
  stall(): void
  resume(): void
  /** Forwards the next request that contains the text, and ends its connection before the answer. */
  loseAnswerTo(text: string): void
}

export async function newForwarder(target: number): Promise<Forwarder> {
  let to = target
  let isStalled = false
  let lost: string | undefined
  const open = new Set<Socket>()

  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1')
    let endsAtAnswer = false
    near.on('data', (chunk) => {
      if (lost !== undefined && chunk.includes(lost)) {
        lost = undefined
        endsAtAnswer = true
      }
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (endsAtAnswer) near.destroy()
      else near.write(chunk)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy())
      one.on('close', () => {
        open.delete(one)
        other.destroy()
      })
      if (isStalled) one.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    target,
    cut,
    moveTo(port) {
      to = port
      cut()
    },
    stall() {
      isStalled = true
      for (const socket of open) socket.pause()
    },
    resume() {
      isStalled = false
      for (const socket of open) socket.resume()
    },
    loseAnswerTo(text) {
      lost = text
    },
    async [Symbol.asyncDispose]() {
      cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The database's address through a forwarder. */
export function throughForwarder(databaseUrl: string, { port }: Forwarder): string {
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
