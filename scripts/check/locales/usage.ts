import { baseKeys, type Texts } from './texts.ts'

interface SourceFile {
  file: string
  source: string
}

interface Usage {
  english: Texts
  sources: readonly SourceFile[]
  /** `namespace:prefix` of keys that code builds in a way that this check cannot see. */
  dynamicKeys: readonly string[]
}

/** Finds English keys that nothing uses, and uses of keys that do not exist. @returns one message per fault */
export function usageFaults({ english, sources, dynamicKeys }: Usage): string[] {
  const keys = baseKeys(english)
  const used = new Set<string>()
  const faults: string[] = []
  const defaults = defaultNamespaces(sources)

  for (const { file, source } of sources) {
    const found = usesIn(source, defaults.get(homeOf(file)))
    for (const key of found.literals) markUsed(key, found.namespaces, keys, used)
    for (const { key, namespaces } of found.asked) {
      if (!candidates(key, namespaces, keys).some((candidate) => keys.has(candidate))) {
        faults.push(`${file} uses the key ${key}, which English does not have.`)
      }
    }
    for (const pattern of found.patterns) {
      const matching = [...keys].filter((key) => matches(key, pattern, found.namespaces))
      for (const key of matching) used.add(key)
      if (matching.length === 0) faults.push(`${file} uses keys like ${pattern}, and English has none.`)
    }
  }

  for (const prefix of dynamicKeys) {
    const matching = [...keys].filter((key) => key.startsWith(prefix))
    for (const key of matching) used.add(key)
    if (matching.length === 0) faults.push(`dynamic-keys.json names ${prefix}, and English has no such key.`)
  }
  return [...faults, ...[...keys].filter((key) => !used.has(key)).map((key) => `${key} is used nowhere.`)]
}

interface Uses {
  /** Namespaces of the file: `useTranslation('orders')`, `serverTexts(folder, 'session')`. */
  namespaces: string[]
  /** `t('key')`: must exist in one of these namespaces; none: in any. */
  asked: { key: string; namespaces: string[] }[]
  /** t(`tabs.${name}`): at least one must exist. */
  patterns: string[]
  /** Every string of the file: a key among them counts as used, as in `t(isWide ? 'collapse' : 'expand')`. */
  literals: string[]
}

function usesIn(source: string, defaultNamespace: string | undefined): Uses {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm, '')
  const named = all(code, /\buseTranslation\(([^)]*)\)/g).flatMap((names) => {
    const given = all(names, /'([^']+)'/g)
    return given.length > 0 || !defaultNamespace ? given : [defaultNamespace]
  })
  const namespaces = [...named, ...all(code, /\bserverTexts\([^)]*?'([^']+)'\s*\)/g)]
  const ofT = [...all(code, /\bt\(\s*'([^']+)'/g), ...all(code, /\bi18nKey="([^"]+)"/g)]
  return {
    namespaces,
    asked: [...ofT.map((key) => ({ key, namespaces })), ...askedByOtherNames(code)],
    patterns: all(code, /\bt\(\s*`([^`]+)`/g).filter((template) => !template.startsWith('${')),
    literals: [...all(code, /'((?:\\.|[^'\\\n])*)'/g), ...all(code, /"((?:\\.|[^"\\\n])*)"/g)],
  }
}

/** `const { t: frame } = useTranslation('frame')`, `pageText: serverTexts(folder, 'subscriptions')`: `frame('key')` is of its namespace. */
function askedByOtherNames(code: string): Uses['asked'] {
  const named = [
    ...code.matchAll(/\{\s*t:\s*(\w+)[^}]*\}\s*=\s*useTranslation\(\s*'([^']+)'/g),
    ...code.matchAll(/\b(\w+)\s*[:=]\s*serverTexts\([^)]*?'([^']+)'\s*\)/g),
  ]
  const byName = Map.groupBy(named, ([, name]) => name)
  return [...byName].flatMap(([name, found]) => {
    const namespaces = found.flatMap(([, , namespace]) => namespace ?? [])
    return all(code, new RegExp(`\\b${name}\\(\\s*'([^']+)'`, 'g')).map((key) => ({ key, namespaces }))
  })
}

/** `defaultNS: 'sso'` of each app: the namespace of `useTranslation()` without a name. */
function defaultNamespaces(sources: readonly SourceFile[]): Map<string, string> {
  return new Map(
    sources.flatMap(({ file, source }) =>
      all(source, /\bdefaultNS:\s*'([^']+)'/g).map((namespace): [string, string] => [homeOf(file), namespace]),
    ),
  )
}

/** `apps/sso/web/main.tsx` → `apps/sso` */
function homeOf(file: string): string {
  return file.split('/').slice(0, 2).join('/')
}

function all(code: string, pattern: RegExp): string[] {
  return [...code.matchAll(pattern)].flatMap(([, found]) => (found === undefined ? [] : [found]))
}

function markUsed(key: string, namespaces: readonly string[], keys: ReadonlySet<string>, used: Set<string>): void {
  const found = key.includes(':') ? [key] : namespaces.map((namespace) => `${namespace}:${key}`)
  for (const candidate of found) if (keys.has(candidate)) used.add(candidate)
}

/** A file that receives its `t` as a parameter names no namespace, so every namespace matches. */
function candidates(key: string, namespaces: readonly string[], keys: ReadonlySet<string>): string[] {
  if (key.includes(':')) return [key]
  if (namespaces.length > 0) return namespaces.map((namespace) => `${namespace}:${key}`)
  return [...keys].filter((known) => known.endsWith(`:${key}`))
}

function matches(key: string, template: string, namespaces: readonly string[]): boolean {
  const [namespace = '', name = ''] = key.split(':')
  const [asked, pattern] = template.includes(':') ? template.split(':') : [undefined, template]
  if (asked ? asked !== namespace : namespaces.length > 0 && !namespaces.includes(namespace)) return false
  const parts = (pattern ?? '').split(/\$\{[^}]*\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[^.]+')}$`).test(name)
}
