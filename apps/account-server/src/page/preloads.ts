import type { Locale } from '@atrium/contract/locale.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'

/** The parts of Vite's manifest that are read here, by source path. */
export type Manifest = Readonly<Record<string, { file: string; imports?: string[]; css?: string[]; isEntry?: boolean }>>

interface Wanted {
  locale: Locale
  tab: AccountTab
}

/** `<link>`s for the code and the texts of a tab in a language, so that they load beside the entry, not after it. */
export function preloadsOf(manifest: Manifest, wanted: Wanted): string {
  const sources = Object.keys(manifest).filter((source) => isScreen(source, wanted) || isTexts(source, wanted))
  const chunks = new Set(sources.flatMap((source) => withImports(manifest, source)))
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

/** A tab's screen is named after it: `my-orders` → `…/my-orders-screen.tsx`. */
function isScreen(source: string, { tab }: Wanted): boolean {
  return source.endsWith(`/${tab.name}-screen.tsx`)
}

/** What every page shows is one chunk a language, named by the page's build; what a screen shows is a file a noun. */
function isTexts(source: string, { locale: { folder }, tab }: Wanted): boolean {
  const isCommon = source.startsWith(`_texts-${folder}-`)
  return isCommon || tab.texts.some((noun) => source.endsWith(`/locales/src/${folder}/${noun}.json`))
}

function withImports(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  // The entry and what it imports stand in the page already.
  if (seen.has(source) || manifest[source]?.isEntry) return []
  seen.add(source)
  return [source, ...(manifest[source]?.imports ?? []).flatMap((inner) => withImports(manifest, inner, seen))]
}
