import type { Locale } from '@atrium/contract/locale.ts'
import type { AccountTab } from '@atrium/contract/tabs.ts'
import { escapeHtml } from '@atrium/server-kit/html.ts'

/** The used parts of Vite's manifest, by source path. */
export type Manifest = Readonly<Record<string, { file: string; imports?: string[]; css?: string[]; isEntry?: boolean }>>

interface Wanted {
  locale: Locale
  tab: AccountTab
}

/** `<link>`s for the code and texts of a tab in a language, so that they load in parallel to the entry. */
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

/** The texts of every page are one chunk per language, named by the build; those of a screen are one file per noun. */
function isTexts(source: string, { locale: { folder }, tab }: Wanted): boolean {
  const isCommon = source.startsWith(`_texts-${folder}-`)
  return isCommon || tab.texts.some((noun) => source.endsWith(`/locales/src/${folder}/${noun}.json`))
}

function withImports(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  // The page references the entry and its imports already.
  if (seen.has(source) || manifest[source]?.isEntry) return []
  seen.add(source)
  return [source, ...(manifest[source]?.imports ?? []).flatMap((inner) => withImports(manifest, inner, seen))]
}
