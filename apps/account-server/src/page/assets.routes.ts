import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

interface Options {
  /** The built page. */
  folder: string
  /** `npm run dev`: the Vite server. */
  devUrl: string | undefined
}

const prefix = '/account/assets/'

/** A name with a hash never means anything else; the few without one are asked for again. */
const hashed = /-[\w-]{8}\.\w+(\.br|\.gz)?$/

/** Scripts, styles and pictures of the page, compressed at build time. */
export async function assetRoutes(app: FastifyInstance, { folder, devUrl }: Options): Promise<void> {
  if (devUrl) return developmentAssets(app, devUrl)
  await app.register(fastifyStatic, {
    root: folder,
    prefix,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    // The page itself is sent with its data, by the page's own route.
    allowedPath: (path) => !path.endsWith('.html'),
    setHeaders(reply, path) {
      reply.header('cache-control', hashed.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache')
    },
  })
}

/** Modules come from Vite through us, so that the page has one origin, in development too. */
function developmentAssets(app: FastifyInstance, devUrl: string): void {
  app.get(`${prefix}*`, async (request, reply) => {
    const response = await fetch(`${devUrl}${request.url}`)
    return reply
      .code(response.status)
      .headers({ 'content-type': response.headers.get('content-type') ?? 'text/plain', 'cache-control': 'no-cache' })
      .send(Buffer.from(await response.arrayBuffer()))
  })
}
