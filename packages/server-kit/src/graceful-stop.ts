import { Server as HttpServer, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Milliseconds for which a connection that says nothing is left open: a request may be on its way to us. */
const quietMs = 1500
/**
 * Milliseconds for which replies under way are waited for; what is left then is cut off. Of 7 s in all (`run.ts`), of which jobs
 * have 3.
 */
const deadlineMs = 3000

/**
 * A stop that loses no request. The listener closes at once, so that a proxy turns to another server; who keeps a connection
 * open is told by `Connection: close`, with the reply that is under way or the next one (which Fastify says while it closes); a
 * quiet connection is left alone for a moment, and only then ended. Node's own `close()` cuts quiet connections off at once, and
 * with them a request that is on its way (RFC 9112 §9.5).
 * @returns whether the stop has begun: `/readyz` says no
 */
export function stopGracefully(app: FastifyInstance): () => boolean {
  const servers = new Set<HttpServer>([app.server])
  const connections = new Set<Socket>()
  const replies = new Set<ServerResponse>()
  let isStopping = false

  const keepTrackOf = (socket: Socket) => {
    // A request that a test injects has no socket.
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
    // `close` comes once for every reply, also for one whose caller went away.
    raw.once('close', () => replies.delete(raw))
    done()
  })
  app.addHook('preClose', async () => {
    isStopping = true
    for (const reply of replies) if (!reply.headersSent) reply.setHeader('connection', 'close')
    await nothingArriving()
    // The listeners alone: `http.Server.close` would end quiet connections too.
    for (const server of servers) NetServer.prototype.close.call(server)

    const begin = Date.now()
    while (connections.size > 0 && Date.now() - begin < (replies.size > 0 ? deadlineMs : quietMs)) await pause(10)
    for (const server of servers) server.closeAllConnections()
  })

  return () => isStopping
}

/** `localhost` has two addresses, and Fastify a server for each, of which it shows one. */
function serverOf({ raw }: FastifyRequest): HttpServer | undefined {
  const server: unknown = Reflect.get(raw.socket, 'server')
  return server instanceof HttpServer ? server : undefined
}

/**
 * Resolves right after a turn of the event loop that found nothing to do, or after 300 ms: connections that the system made for
 * us and the loop has not come to yet would be reset with the listener.
 */
async function nothingArriving(): Promise<void> {
  const deadline = performance.now() + 300
  let before = performance.now()
  for (;;) {
    await turn()
    const now = performance.now()
    if (now - before < 0.03 || now > deadline) return
    before = now
  }
}
