import { connect, createServer, type Server, type Socket } from 'node:net'

/** What the proxy holds back, until it is released or the connection ends. */
export interface Hold {
  /** Matches the request line: method and path. */
  request: RegExp
  /** Whether to hold the request, which then does not reach the other side, or its answer. */
  what: 'request' | 'answer'
}

/** Forwards and records the traffic between two programs. */
export async function recordingProxy(port: number) {
  const recorded: Buffer[] = []
  const open = new Set<Socket>()
  let hold: Hold | undefined
  let held: (() => void)[] = []

  const forward = (chunk: Buffer, to: Socket, isHeld: boolean) => {
    recorded.push(chunk)
    if (isHeld) held.push(() => to.write(chunk))
    else to.write(chunk)
  }
  const server = createServer((near) => {
    const far = connect(port, 'localhost')
    // Keep-alive: one connection carries several requests, so each is matched anew.
    let isMatch = false
    near.on('data', (chunk) => {
      if (/^[A-Z]+ \//.test(chunk.toString('latin1', 0, 16))) {
        const [line = ''] = chunk.toString('latin1').split('\r\n', 1)
        isMatch = hold?.request.test(line) ?? false
      }
      forward(chunk, far, isMatch && hold?.what === 'request')
    })
    far.on('data', (chunk) => forward(chunk, near, isMatch && hold?.what === 'answer'))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      // When one side disconnects, so does the other.
      from.on('error', () => to.destroy())
      from.on('end', () => to.end())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  return {
    recorded,
    url: `http://localhost:${await listening(server)}`,
    holdBack(wanted: Hold): void {
      hold = wanted
      held = []
    },
    isHolding: () => held.length > 0,
    /** Ends the hold, and forwards or drops what is held. */
    release({ isLost }: { isLost: boolean }): void {
      hold = undefined
      for (const send of isLost ? [] : held) send()
      held = []
    },
    async close(): Promise<void> {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

function listening(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, 'localhost', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })
}
