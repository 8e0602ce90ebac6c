import { Server as HttpServer, type ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Milliseconds that an idle connection stays open: a request may be in transit. */
const quietMs = 1500
/** Milliseconds to wait for replies in progress; the rest are cut off. Part of 7 s in total (`run.ts`), of which jobs have 3. */
const deadlineMs = 2800

/**
 * A stop that loses no request. The listener closes as soon as no connection is arriving, so that a proxy switches to another
 * server. From then on open connections get `Connection: close` with the current or next reply, and idle ones are ended after
 * a moment. Before, callers would only connect again, and those connections would be reset with the listener.
 * Node's own `close()` ends idle connections immediately, and with them a request in transit (RFC 9112 §9.5).
 * @returns whether the stop has begun, for `/readyz`
 */
export function stopGracefully(app: FastifyInstance): () => boolean {
  const servers = new Set<HttpServer>()
  const connections = new Set<Socket>()
  const replies = new Set<ServerResponse>()
  let isStopping = false
  let isListening = true
  let arrivals = 0

  const keepTrackOf = (socket: Socket) => {
    // A request injected by a test has no socket.
    if (connections.has(socket) || !(socket instanceof Socket)) return
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  }
  const watch = (server: HttpServer) => {
    servers.add(server)
    server.on('connection', (socket) => {
      arrivals += 1
      keepTrackOf(socket)
    })
  }
  watch(app.server)
  app.addHook('onRequest', (request, reply, done) => {
    keepTrackOf(request.raw.socket)
    const server = serverOf(request)
    if (server && !servers.has(server)) watch(server)
    const { raw } = reply
    // Fastify adds it as soon as it is closing.
    if (isStopping && isListening) raw.removeHeader('connection')
    replies.add(raw)
    // `close` is emitted once per reply, also if the caller has disconnected.
    raw.once('close', () => replies.delete(raw))
    done()
  })
  app.addHook('preClose', async () => {
    isStopping = true
    await nothingArriving(() => arrivals)
    // Only the listeners: `http.Server.close` would end idle connections too.
    for (const server of servers) NetServer.prototype.close.call(server)
    isListening = false
    for (const reply of replies) if (!reply.headersSent) reply.setHeader('connection', 'close')

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

/** Milliseconds within which hardly a connection arrives unseen. */
const briefMs = 0.5
/** Milliseconds to wait for an iteration as brief as that, and for any; a busy machine may have neither. */
const waits = { brief: 400, any: 800 }

/**
 * Resolves after a brief event loop iteration in which no connection arrived, or after a while. The loop takes one connection
 * of a listener per iteration, so the system then holds none; those it holds would be reset with the listener.
 */
async function nothingArriving(arrivals: () => number): Promise<void> {
  const start = performance.now()
  for (;;) {
    const [before, begin] = [arrivals(), performance.now()]
    await turn()
    const now = performance.now()
    const isBrief = now - begin < briefMs || now - start > waits.brief
    if (now - start > waits.any || (isBrief && arrivals() === before)) return
  }
}
