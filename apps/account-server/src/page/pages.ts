import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Locale } from '@atrium/contract/locale.ts'
import { PageData } from '@atrium/contract/session.ts'
import { accountTabs, tabNamed } from '@atrium/contract/tabs.ts'
import { ConfigError } from '@atrium/server-kit/config.ts'
import { escapeHtml, scriptJson } from '@atrium/server-kit/html.ts'
import { pageHeaders } from '@atrium/server-kit/security-headers.ts'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
import { documentTitle, firstPaint } from './first-paint.ts'
import { type Manifest, preloadsOf } from './preloads.ts'
import type { ProviderSources } from './provider-sources.ts'

/** Sends the account page with all data for its first paint. */
export interface Pages {
  send(reply: FastifyReply, page: Page): Promise<FastifyReply>
}

interface Page {
  /** Only fields of `PageData` are sent. */
  data: z.input<typeof PageData>
  locale: Locale
  /** As written in the address. */
  tab: string | undefined
  /** Whether the frame of the account is drawn before the script has loaded. */
  drawsFrame: boolean
}

interface Source {
  html: string
  manifest: Manifest
}

interface Options {
  /** The built page. */
  folder: string
  /** `npm run dev`: the Vite server. */
  devUrl: string | undefined
  /** What may be loaded from the providers. */
  sources: ProviderSources
}

export async function pagesFrom({ folder, devUrl, sources }: Options): Promise<Pages> {
  const source = devUrl ? () => developmentPage(devUrl) : await builtPage(folder)

  return {
    async send(reply, { data, locale, tab, drawsFrame }) {
      const { html, manifest } = await source()
      const drawn = { locale, settings: data.settings, tab }
      const nonce = randomBytes(16).toString('base64')
      const head =
        preloadsOf(manifest, { locale, tab: tabNamed(accountTabs(data.settings), tab) }) +
        `<script type="application/json" id="page-data" nonce="${nonce}">${scriptJson(PageData.parse(data))}</script>`

      const page = html
        .replaceAll('__NONCE__', nonce)
        .replace('<html lang="en"', `<html lang="${languageTag(locale)}"`)
        .replace('<!--page-data-->', () => head)
        .replace('<!--first-paint-->', () => (drawsFrame ? firstPaint(drawn) : ''))
        .replace('<title>Account</title>', (title) =>
          drawsFrame ? `<title>${escapeHtml(documentTitle(drawn))}</title>` : title,
        )
      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          ...headersOf(nonce, { devUrl, sources }),
          // The login and reset-password popups need their opener.
          'cross-origin-opener-policy': 'same-origin-allow-popups',
          'cache-control': 'no-store',
          vary: 'accept-encoding, accept-language, cookie',
        })
        .send(await compressed(reply, page))
    },
  }
}

/** `pt-br` → `pt-BR`, for `<html lang>` and `Intl`. */
export function languageTag(locale: Locale): string {
  return Intl.getCanonicalLocales(locale.code)[0] ?? locale.code
}

/** The built page, read again after a rebuild, so that a running server never references removed files. */
async function builtPage(folder: string): Promise<() => Promise<Source>> {
  const builtAt = async () => (await stat(join(folder, 'index.html'))).mtimeMs
  let known = { at: await builtAt().catch(notBuilt), source: await readPage(folder).catch(notBuilt) }

  return async () => {
    // During a build the page is missing or incomplete: keep the previous one.
    const at = await builtAt().catch(() => known.at)
    if (at !== known.at) {
      known = await readPage(folder).then(
        (source) => ({ at, source }),
        () => known,
      )
    }
    return known.source
  }

  function notBuilt(): never {
    throw new ConfigError(['The pages of account-server are not built yet. Run: npm run build'])
  }
}

async function readPage(folder: string): Promise<Source> {
  const [html = '', manifest = ''] = await Promise.all(
    ['index.html', '.vite/manifest.json'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  const colorScheme = await readFile(join(folder, 'color-scheme.js'), 'utf8').catch(() => undefined)
  return { html: paintedEarly(html, colorScheme), manifest: JSON.parse(manifest) as Manifest }
}

/**
 * What the first paint would wait for: the script that chooses the color scheme stands in the page, and the style sheet after the frame
 * that is drawn without it, but before the styles that the page's script adds. That script waits for it, as every deferred one does.
 */
function paintedEarly(html: string, colorScheme: string | undefined): string {
  const [sheet = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
  const preload = sheet.replace('rel="stylesheet"', 'rel="preload" as="style"')
  const late = sheet && html.replace(sheet, preload).replace('<!--first-paint-->', `<!--first-paint-->${sheet}`)
  return (late || html).replace(/<script src="[^"]*color-scheme\.js"[^>]*><\/script>/, (script) =>
    colorScheme === undefined ? script : `<script nonce="__NONCE__">${colorScheme}</script>`,
  )
}

const gzipped = promisify(gzip)

async function compressed(reply: FastifyReply, page: string): Promise<string | Buffer> {
  if (!/\bgzip\b/.test(reply.request.headers['accept-encoding'] ?? '')) return page
  void reply.header('content-encoding', 'gzip')
  return gzipped(page)
}

async function developmentPage(devUrl: string): Promise<Source> {
  const response = await fetch(`${devUrl}/account/assets/index.html`, { signal: AbortSignal.timeout(10_000) })
  return { html: await response.text(), manifest: {} }
}

function headersOf(nonce: string, { devUrl, sources }: Omit<Options, 'folder'>) {
  // Hot reload connects to Vite directly.
  const development = devUrl ? [devUrl.replace(/^http/, 'ws')] : []
  return pageHeaders({ nonce, ...sources, connect: [...sources.connect, ...development] })
}
