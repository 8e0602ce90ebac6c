import type { Locale } from '@atrium/contract/locale.ts'
import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'

const languages = import.meta.glob<{ texts: Readonly<Record<string, object>> }>('./languages/*.ts')

/** Loads one language, all of it, and nothing of the others. */
export async function loadLanguage({ code, folder }: Locale): Promise<i18n> {
  const load = languages[`./languages/${folder}.ts`]
  if (!load) throw new Error(`There are no texts for ${folder}.`)
  const { texts } = await load()
  const namespaces = Object.fromEntries(
    Object.entries(texts).map(([path, namespace]) => [nounOf(path), namespace] as const),
  )

  const instance = createInstance()
  await instance.use(initReactI18next).init({
    lng: code,
    fallbackLng: false,
    lowerCaseLng: true,
    load: 'currentOnly',
    defaultNS: 'common',
    resources: { [code]: namespaces },
    // React escapes.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  return instance
}

/** `…/en/my-orders.json` → `my-orders` */
function nounOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.json'.length)
}
