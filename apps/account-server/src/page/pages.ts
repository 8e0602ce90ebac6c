import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locale } from '@atrium/contract/locale.ts'
import { PageData } from '@atrium/contract/session.ts'
import { accountTabs, tabNamed } from '@atrium/contract/tabs.ts'
import { ConfigError } from '@atrium/server-kit/config.ts'
import { scriptJson } from '@atrium/server-kit/html.ts'
import { pageHeaders } from '@atrium/server-kit/security-headers.ts'
import type { FastifyReply } from 'fastify'
import type { z } from 'zod'
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
    async send(reply, { data, locale, tab }) {
      const { html, manifest } = await source()
      const nonce = randomBytes(16).toString('base64')
      const head =
        preloadsOf(manifest, { locale, tab: tabNamed(accountTabs(data.settings), tab) }) +
        `<script type="application/json" id="page-data" nonce="${nonce}">${scriptJson(PageData.parse(data))}</script>`

      return reply
        .headers({
          'content-type': 'text/html; charset=utf-8',
          ...headersOf(nonce, { devUrl, sources }),
          // The login and reset-password popups need their opener.
          'cross-origin-opener-policy': 'same-origin-allow-popups',
          'cache-control': 'no-store',
          vary: 'accept-language, cookie',
        })
        .send(
          html
            .replaceAll('__NONCE__', nonce)
            .replace('<html lang="en"', `<html lang="${languageTag(locale)}"`)
            .replace('<!--page-data-->', () => head),
        )
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
  const [html, manifest] = await Promise.all(
    ['index.html', '.vite/manifest.json'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  return { html: html ?? '', manifest: JSON.parse(manifest ?? '') as Manifest }
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
