import type { Locale } from '@atrium/contract/locale.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'

/** The parts of Vite's manifest that are read here, by source path. */
export type Manifest = Readonly<Record<string, { file: string; imports?: string[]; css?: string[]; isEntry?: boolean }>>

interface Wanted {
  locale: Locale
  tab: string | undefined
}

/** `<link>`s for the code of the wanted tab and language, so that they load beside the entry, not after it. */
export function preloadsOf(manifest: Manifest, { locale, tab }: Wanted): string {
  const screens = Object.keys(manifest).filter((source) => isScreen(source, tab))
  const nouns = screens.map((source) => /\/features\/([a-z-]+)\//.exec(source)?.[1] ?? '')
  const texts = Object.keys(manifest).filter(
    (source) => isCommonTexts(source, locale) || isTexts(source, locale, nouns),
  )
  const wanted = [...screens, ...texts]
  const chunks = new Set(wanted.flatMap((source) => withImports(manifest, source)))
  return [...chunks]
    .flatMap((source) => {
      const { file = '', css = [] } = manifest[source] ?? {}
      return [
        `<link rel="modulepreload" crossorigin href="/account/assets/${escapeHtml(file)}">`,
        ...css.map((sheet) => `<link rel="stylesheet" crossorigin href="/account/assets/${escapeHtml(sheet)}">`),
      ]
    })
    .join('')
}

/** What every page says is one chunk a language, named by the page's build. */
function isCommonTexts(source: string, { folder }: Locale): boolean {
  return source.startsWith(`_texts-${folder}-`)
}

/** What a screen says is a file of its noun. */
function isTexts(source: string, { folder }: Locale, nouns: readonly string[]): boolean {
  return nouns.some((noun) => source.endsWith(`/locales/src/${folder}/${noun}.json`))
}

/** A tab's screen is named after it: `my-orders` → `…/my-orders-screen.tsx`. Names match as in the page's own table. */
function isScreen(source: string, tab: string | undefined): boolean {
  const name = /\/([a-z-]+)-screen\.tsx$/.exec(source)?.[1]
  return name !== undefined && plain(name) === plain(tab ?? 'profile')
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

function withImports(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  // The entry and what it imports stand in the page already.
  if (seen.has(source) || manifest[source]?.isEntry) return []
  seen.add(source)
  return [source, ...(manifest[source]?.imports ?? []).flatMap((inner) => withImports(manifest, inner, seen))]
}
