import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInstance, type TFunction } from 'i18next'

const english = 'en'

/** Texts of a namespace in a language's folder, for emails and pages written by a server. Read once each. */
export function serverTexts(folder: string, namespace: string): TFunction {
  const key = `${folder}/${namespace}`
  const known = functions.get(key)
  if (known) return known

  const instance = createInstance()
  void instance.init({
    lng: folder,
    fallbackLng: english,
    ns: namespace,
    defaultNS: namespace,
    initAsync: false,
    // Folders are named `ja-jp`, not `ja-JP`.
    lowerCaseLng: true,
    resources: {
      [english]: { [namespace]: read(english, namespace) },
      [folder]: { [namespace]: read(folder, namespace) },
    },
    interpolation: { escapeValue: false },
  })
  const translate = instance.getFixedT(folder, namespace)
  functions.set(key, translate)
  return translate
}

const functions = new Map<string, TFunction>()

function read(folder: string, namespace: string) {
  return JSON.parse(readFileSync(join(import.meta.dirname, folder, `${namespace}.json`), 'utf8'))
}
