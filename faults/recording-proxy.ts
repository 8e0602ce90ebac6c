import { connect, createServer, type Server, type Socket } from 'node:net'

/** What is held back between two programs, until it is let go or its connection ends. */
export interface Hold {
  /** Of the request: its method and address, as they stand in its first line. */
  request: RegExp
  /** The request itself, which then never reaches the other side; or what that side answers. */
  what: 'request' | 'answer'
}

/** Passes on what is said between two programs, and writes it down. */
export async function recordingProxy(port: number) {
  const heard: Buffer[] = []
  const open = new Set<Socket>()
  let hold: Hold | undefined
  let held: (() => void)[] = []

  const passOn = (chunk: Buffer, to: Socket, isHeld: boolean) => {
    heard.push(chunk)
    if (isHeld) held.push(() => to.write(chunk))
    else to.write(chunk)
  }
  const server = createServer((near) => {
    const far = connect(port, 'localhost')
    // Connections are kept alive: each request says anew whether it is meant.
    let isMeant = false
    near.on('data', (chunk) => {
      if (/^[A-Z]+ \//.test(chunk.toString('latin1', 0, 16))) {
        const [line = ''] = chunk.toString('latin1').split('\r\n', 1)
        isMeant = hold?.request.test(line) ?? false
      }
      passOn(chunk, far, isMeant && hold?.what === 'request')
    })
    far.on('data', (chunk) => passOn(chunk, near, isMeant && hold?.what === 'answer'))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      // A side that breaks off breaks off the other as well.
      from.on('error', () => to.destroy())
      from.on('end', () => to.end())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  return {
    heard,
    url: `http://localhost:${await listening(server)}`,
    holdBack(wanted: Hold): void {
      hold = wanted
      held = []
    },
    isHolding: () => held.length > 0,
    /** Holds back no more; what is held goes on its way, or is thrown away. */
    letGo({ isLost }: { isLost: boolean }): void {
      hold = undefined
      for (const pass of isLost ? [] : held) pass()
      held = []
    },
    async close(): Promise<void> {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A port that nobody has at the moment. */
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
