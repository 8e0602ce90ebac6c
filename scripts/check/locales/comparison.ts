import { baseKey, type Texts } from './texts.ts'

interface Comparison {
  /** BCP 47, for the plural rules: `pt-BR`. */
  language: string
  english: Texts
  texts: Texts
  /** Keys whose text may be the same as in English. */
  sameAsEnglish: readonly string[]
}

/** Compares the texts of a language with English. @returns one message per fault */
export function textFaults({ language, english, texts, sameAsEnglish }: Comparison): string[] {
  const expected = expectedKeys(english, language)
  const faults: string[] = []

  for (const key of texts.keys()) if (!expected.has(key)) faults.push(`${key} is not in English`)
  for (const [key, original] of expected) {
    const text = texts.get(key)
    if (text === undefined) faults.push(`${key} is missing`)
    else faults.push(...faultsOfText(text, original).map((fault) => `${key} ${fault}`))
  }

  const same = [...expected].filter(([key, original]) => texts.get(key) === original && hasWords(original))
  const sameKeys = new Set(same.map(([key]) => baseKey(key, texts)))
  for (const key of sameKeys) {
    if (!sameAsEnglish.includes(key))
      faults.push(`${key} is still in English: translate it, or list it in same-as-english.json`)
  }
  for (const key of sameAsEnglish) {
    if (!sameKeys.has(key)) faults.push(`${key} is listed in same-as-english.json, but differs from English`)
  }
  return faults.map((fault) => `${language}: ${fault}.`)
}

/** A number is not parted from its noun at the end of a line; an email's lines are not ours. @returns one message per fault */
export function partedNumbers(language: string, texts: Texts): string[] {
  return [...texts]
    .filter(([key, text]) => !/^[a-z-]*mail:/.test(key) && /\{\{count\}\} (?=\p{L})/u.test(text))
    .map(([key]) => `${language}: ${key} parts {{count}} from its noun: put a non-breaking space between them.`)
}

/** In French a colon, and the like, is not parted from its word. @returns one message per fault */
export function partedMarks(language: string, texts: Texts): string[] {
  if (!language.startsWith('fr')) return []
  return [...texts]
    .filter(([, text]) => / [:;!?»]|« /.test(text))
    .map(([key]) => `${language}: ${key} parts a mark from its word: put a non-breaking space between them.`)
}

/** The keys that a language must have, with exactly its own plural forms, and the English text of each. */
function expectedKeys(english: Texts, language: string): Map<string, string> {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
  const expected = new Map<string, string>()
  for (const [key, text] of english) {
    const base = baseKey(key, english)
    if (base === key) expected.set(key, text)
    else for (const form of forms) expected.set(`${base}_${form}`, english.get(`${base}_${form}`) ?? text)
  }
  // Plural forms that English does not have are compared with its `other`.
  for (const key of expected.keys()) {
    const base = key.replace(/_[a-z]+$/, '')
    if (!english.has(key)) expected.set(key, english.get(`${base}_other`) ?? '')
  }
  return expected
}

function faultsOfText(text: string, original: string): string[] {
  const faults: string[] = []
  if (text.trim() === '' && original.trim() !== '') faults.push('is empty')
  if (text !== text.trim() && original === original.trim()) faults.push('has spaces around it')
  if (marksIn(text, placeholder) !== marksIn(original, placeholder)) {
    faults.push(
      `has the placeholders ${marksIn(text, placeholder) || 'none'} for ${marksIn(original, placeholder) || 'none'}`,
    )
  }
  if (marksIn(text, tag) !== marksIn(original, tag)) {
    faults.push(`has the tags ${marksIn(text, tag) || 'none'} for ${marksIn(original, tag) || 'none'}`)
  }
  return faults
}

/** `{{name}}` and `$t(key)`. */
const placeholder = /\{\{.*?\}\}|\$t\(.*?\)/g
const tag = /<\/?[a-z0-9]+\s*\/?>/gi

/** Sorted and unique: a language may use a placeholder twice or in another order. */
function marksIn(text: string, mark: RegExp): string {
  return [...new Set(text.match(mark) ?? [])].sort().join(' ')
}

/** A text without words, such as a dash or only a placeholder, is the same in every language. */
function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replace(placeholder, '').replace(tag, ''))
}
