import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

/** Texts of a language by `namespace:dotted.key`. */
export type Texts = ReadonlyMap<string, string>

interface Tree {
  readonly [key: string]: string | Tree
}

const Tree: z.ZodType<Tree> = z.lazy(() => z.record(z.string(), z.union([z.string(), Tree])))

/** Reads every file of a language's folder; a missing folder has no texts. */
export function readTexts(folder: string): Texts {
  const texts = new Map<string, string>()
  for (const file of filesIn(folder)) {
    const tree = Tree.parse(JSON.parse(readFileSync(join(folder, file), 'utf8')))
    for (const [key, value] of flattened(tree)) texts.set(`${file.replace(/\.json$/, '')}:${key}`, value)
  }
  return texts
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((file) => file.endsWith('.json'))
  } catch {
    return []
  }
}

function flattened(tree: Tree, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flattened(value, `${prefix}${key}.`),
  )
}

const pluralForm = /_(zero|one|two|few|many|other)$/

/** `orders:count_one` → `orders:count` if the key is a plural, which has a form for `other`. */
export function baseKey(key: string, texts: Texts): string {
  const base = key.replace(pluralForm, '')
  return base !== key && texts.has(`${base}_other`) ? base : key
}

/** Every key as code uses it. */
export function baseKeys(texts: Texts): Set<string> {
  return new Set([...texts.keys()].map((key) => baseKey(key, texts)))
}
