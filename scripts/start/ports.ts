import { createServer } from 'node:net'

interface WantedPort {
  port: number
  setting: string
}

/** @throws Error that names a taken port and the setting for another one */
export async function refuseTakenPorts(wanted: readonly WantedPort[]): Promise<void> {
  for (const { port, setting } of wanted) {
    if (await isTaken(port)) {
      throw new Error(`Port ${port} is taken by another program. Stop it, or set ${setting} to a free port.`)
    }
  }
}

async function isTaken(port: number): Promise<boolean> {
  const results = await Promise.all(['127.0.0.1', '::1'].map((host) => canListen(port, host)))
  return results.includes('EADDRINUSE')
}

function canListen(port: number, host: string): Promise<string> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, host, () => server.close(() => resolve('free')))
  })
}
