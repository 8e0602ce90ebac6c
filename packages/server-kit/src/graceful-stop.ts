import { Server as HttpServer, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Milliseconds that an idle connection stays open: a request may be in transit. */
const quietMs = 1500
/** Milliseconds to wait for replies in progress; the rest are cut off. Part of 7 s in total (`run.ts`), of which jobs have 3. */
const deadlineMs = 2800

/**
 * A stop that loses no request. The listener closes immediately, so that a proxy switches to another server. Open connections
 * get `Connection: close` with the current or next reply (Fastify adds it while closing), and idle ones are ended after a
 * moment.
 * Node's own `close()` ends idle connections immediately, and with them a request in transit (RFC 9112 §9.5).
 * @returns whether the stop has begun, for `/readyz`
 */
export function stopGracefully(app: FastifyInstance): () => boolean {
  const servers = new Set<HttpServer>([app.server])
  const connections = new Set<Socket>()
  const replies = new Set<ServerResponse>()
  let isStopping = false

  const keepTrackOf = (socket: Socket) => {
    // A request injected by a test has no socket.
    if (connections.has(socket) || !(socket instanceof Socket)) return
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }
  app.server.on('connection', keepTrackOf)
  app.addHook('onRequest', (request, reply, done) => {
    keepTrackOf(request.raw.socket)
    const server = serverOf(request)
    if (server) servers.add(server)
    const { raw } = reply
    replies.add(raw)
    // `close` is emitted once per reply, also if the caller has disconnected.
    raw.once('close', () => replies.delete(raw))
    done()
  })
  app.addHook('preClose', async () => {
    isStopping = true
    for (const reply of replies) if (!reply.headersSent) reply.setHeader('connection', 'close')
    await nothingArriving()
    // Only the listeners: `http.Server.close` would end idle connections too.
    for (const server of servers) NetServer.prototype.close.call(server)

    const begin = Date.now()
    while (connections.size > 0 && Date.now() - begin < (replies.size > 0 ? deadlineMs : quietMs)) await pause(10)
    for (const server of servers) server.closeAllConnections()
  })

  return () => isStopping
}

/** `localhost` has two addresses, and Fastify one server for each, of which it exposes one. */
function serverOf({ raw }: FastifyRequest): HttpServer | undefined {
  const server: unknown = Reflect.get(raw.socket, 'server')
  return server instanceof HttpServer ? server : undefined
}

/** Milliseconds to wait for such an iteration on a busy machine. */
const arrivingMs = 800

/**
 * Resolves after an event loop iteration without work, or after a while: connections that the system accepted but the loop has
 * not handled would be reset with the listener.
 */
async function nothingArriving(): Promise<void> {
  const deadline = performance.now() + arrivingMs
  let before = performance.now()
  for (;;) {
    await turn()
    const now = performance.now()
    if (now - before < 0.03 || now > deadline) return
    before = now
  }
}
