import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

interface Options {
  /** The built page. */
  folder: string
  /** `npm run dev`: the Vite server. */
  devUrl: string | undefined
}

const prefix = '/account/assets/'

/** A file name with a hash never changes its content; others are revalidated. */
const hashed = /-[\w-]{8}\.\w+(\.br|\.gz)?$/

/** The page's scripts, styles and pictures, compressed at build time. */
export async function assetRoutes(app: FastifyInstance, { folder, devUrl }: Options): Promise<void> {
  if (devUrl) return developmentAssets(app, devUrl)
  await app.register(fastifyStatic, {
    root: folder,
    prefix,
    preCompressed: true,
    index: false,
    dotfiles: 'ignore',
    cacheControl: false,
    // The page itself is sent by its own route, with its data.
    allowedPath: (path) => !path.endsWith('.html'),
    setHeaders(reply, path) {
      reply.header('cache-control', hashed.test(path) ? 'public, max-age=31536000, immutable' : 'public, no-cache')
    },
  })
}

/** Proxies modules from Vite, so that the page has one origin in development too. */
function developmentAssets(app: FastifyInstance, devUrl: string): void {
  app.get(`${prefix}*`, async (request, reply) => {
    const response = await fetch(`${devUrl}${request.url}`)
    return reply
      .code(response.status)
      .headers({ 'content-type': response.headers.get('content-type') ?? 'text/plain', 'cache-control': 'no-cache' })
      .send(Buffer.from(await response.arrayBuffer()))
  })
}
