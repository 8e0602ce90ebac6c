import { de } from './de.ts'
import { en, type Texts } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'
import { ru } from './ru.ts'
import { zhTw } from './zh-tw.ts'

const tables: Readonly<Record<string, Texts>> = { de, en, es, fr, it, ja, nl, pt, ru, zh: zhTw }

/** The language of a locale: `pt` for `pt-BR`, `zh` for all of Chinese, and `en` for unsupported ones. */
export function languageOf(locale: string): string {
  const [language = ''] = locale.toLowerCase().split('-')
  return Object.hasOwn(tables, language) ? language : 'en'
}

/** The texts of a locale. `auto` was resolved before. */
export function textsOf(locale: string): Texts {
  return tables[languageOf(locale)] ?? en
}
