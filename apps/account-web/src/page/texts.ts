import type { Locale } from '@atrium/contract/locale.ts'
import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'

type Load = () => Promise<object>

/** A language lists its own files: the page needs to know those of one only. */
const languages = import.meta.glob<Record<string, Load>>('../languages/*.ts', { import: 'texts' })

/** The texts of every page: one chunk per language (`vite.config.ts`). Screens load those of their nouns. */
const common = ['common', 'frame', 'problems'] as const

interface Language {
  locale: Locale
  instance: i18n
  isReady: Promise<unknown>
}

let language: Language | undefined

/** Loads the texts of every page in one language. */
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
      // React escapes already.
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
    }),
  )
  language = { locale, instance, isReady }
  await isReady
  return instance
}

/** Loads the texts of nouns in the page's language, once. */
export async function loadTexts(...nouns: string[]): Promise<void> {
  if (!language) throw new Error('The language is not chosen yet.')
  const { locale, instance, isReady } = language
  const texts = await Promise.all(nouns.map((noun) => read(locale, noun)))
  await isReady
  for (const [index, noun] of nouns.entries()) instance.addResourceBundle(locale.code, noun, texts[index])
}

/** The files of the languages that are loaded. */
const loaded = new Map<string, Record<string, Load>>()

async function read({ folder }: Locale, noun: string): Promise<object> {
  const texts = loaded.get(folder) ?? (await languages[`../languages/${folder}.ts`]?.())
  if (texts) loaded.set(folder, texts)
  const load = texts?.[`../../../../packages/locales/src/${folder}/${noun}.json`]
  if (!load) throw new Error(`There are no texts of ${noun} for ${folder}.`)
  return load()
}
