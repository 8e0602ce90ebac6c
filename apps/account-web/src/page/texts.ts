import type { Locale } from '@atrium/contract/locale.ts'
import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'

/** One file a noun and language. Texts that only servers and the sign-on host use stay out. */
const files = import.meta.glob<object>(
  [
    '../../../../packages/locales/src/*/*.json',
    '!../../../../packages/locales/src/*/sso*.json',
    '!../../../../packages/locales/src/*/*mail.json',
    '!../../../../packages/locales/src/*/session.json',
    '!../../../../packages/locales/src/*/invoice.json',
  ],
  { import: 'default' },
)

/** What every page needs: one chunk a language (`vite.config.ts`). A screen brings the texts of its own noun. */
const common = ['common', 'frame', 'problems'] as const

interface Language {
  locale: Locale
  instance: i18n
  isReady: Promise<unknown>
}

let language: Language | undefined

/** Loads the texts that every page needs, in one language, and nothing of the others. */
export async function loadLanguage(locale: Locale): Promise<i18n> {
  const instance = createInstance()
  const isReady = Promise.all(common.map((noun) => read(locale, noun))).then((texts) =>
    instance.use(initReactI18next).init({
      lng: locale.code,
      fallbackLng: false,
      lowerCaseLng: true,
      load: 'currentOnly',
      defaultNS: 'common',
      resources: { [locale.code]: Object.fromEntries(common.map((noun, index) => [noun, { ...texts[index] }])) },
      // React escapes.
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    }),
  )
  language = { locale, instance, isReady }
  await isReady
  return instance
}

/** Loads the texts of nouns, once, in the language of the page. */
export async function loadTexts(...nouns: string[]): Promise<void> {
  if (!language) throw new Error('The language is not chosen yet.')
  const { locale, instance, isReady } = language
  const texts = await Promise.all(nouns.map((noun) => read(locale, noun)))
  await isReady
  for (const [index, noun] of nouns.entries()) instance.addResourceBundle(locale.code, noun, texts[index])
}

async function read({ folder }: Locale, noun: string): Promise<object> {
  const load = files[`../../../../packages/locales/src/${folder}/${noun}.json`]
  if (!load) throw new Error(`There are no texts of ${noun} for ${folder}.`)
  return load()
}
