import { connect, createServer, type Server, type Socket } from 'node:net'

/** Passes on what is said between two programs, and writes it down. */
export async function recordingProxy(port: number) {
  const heard: Buffer[] = []
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, 'localhost')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('data', (chunk) => {
        heard.push(chunk)
        to.write(chunk)
      })
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
