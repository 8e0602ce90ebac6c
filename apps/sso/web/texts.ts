import { createInstance, type i18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { PageData } from '../src/wire.ts'

type Texts = Record<string, unknown> & { problems?: object }

const load = { import: 'default' } as const
const own = import.meta.glob<Texts>('../../../packages/locales/src/*/sso.json', load)
const common = import.meta.glob<Texts>('../../../packages/locales/src/*/common.json', load)
const problems = import.meta.glob<Texts>('../../../packages/locales/src/*/problems.json', load)

/** Loads only the given language; English if it does not exist. */
export async function loadLanguage({ locale, folder }: PageData): Promise<i18n> {
  const [sso, shared, failures] = await Promise.all([
    textsOf(own, folder, 'sso'),
    textsOf(common, folder, 'common'),
    textsOf(problems, folder, 'problems'),
  ])
  const instance = createInstance()
  await instance.use(initReactI18next).init({
    lng: locale,
    fallbackLng: false,
    lowerCaseLng: true,
    load: 'currentOnly',
    defaultNS: 'sso',
    resources: { [locale]: { sso, common: shared, problems: { ...failures, ...sso.problems } } },
    // React escapes.
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  })
  return instance
}

async function textsOf(files: Record<string, () => Promise<Texts>>, folder: string, name: string): Promise<Texts> {
  const at = (language: string) => files[`../../../packages/locales/src/${language}/${name}.json`]
  const file = at(folder) ?? at('en')
  if (!file) throw new Error(`There are no texts named ${name}.`)
  return file()
}
