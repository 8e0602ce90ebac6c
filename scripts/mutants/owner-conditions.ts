import { glob, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { projectFolder } from '../start/data-directory.ts'

/** A condition by which a statement of account-server reads or changes only what is a member's own. */
export interface OwnerCondition {
  /** Path within the project. */
  file: string
  /** The folder of `features` that it is in. */
  noun: string
  /** As written. */
  text: string
  /** Which one of those with the same text in the file, from 1. */
  occurrence: number
  /** Offsets in the file. */
  start: number
  end: number
  /** What is there instead in the mutant: without the condition, a statement is about everybody's rows. */
  mutant: string
}

const features = 'apps/account-server/src/features'

/** `eq(addresses.memberId, member.id)` as an argument of `and` or `where`. */
const call = /\beq\(\s*(?:\w+\.)*(?:memberId|ownerId)\b/g

/** `${subscriptions.memberId} = ${memberId}` or `d.member_id = ${memberId}` within SQL. */
const inSql = /(?:\$\{[\w.]*\.memberId\}|\b\w+\.member_id|\$\{memberId\}) = \$\{[^}]+\}(?:::uuid)?/g

/** Every owner condition of a noun, or of all. */
export async function ownerConditions(noun = '*'): Promise<OwnerCondition[]> {
  const found: OwnerCondition[] = []
  for await (const file of glob(`${features}/${noun}/**/*.ts`, { cwd: projectFolder })) {
    if (file.endsWith('.test.ts') || file.endsWith('.tables.ts')) continue
    found.push(...conditionsIn(file.replaceAll(sep, '/'), await readFile(join(projectFolder, file), 'utf8')))
  }
  return found.sort((one, other) => one.file.localeCompare(other.file) || one.start - other.start)
}

export function conditionsIn(file: string, code: string): OwnerCondition[] {
  const spans = [
    ...[...code.matchAll(call)].map(({ index }) => ({
      start: index,
      end: endOfCall(code, index),
      mutant: 'undefined',
    })),
    ...[...code.matchAll(inSql)].map(({ index, 0: text }) => ({
      start: index,
      end: index + text.length,
      mutant: 'true',
    })),
  ].sort((one, other) => one.start - other.start)
  const seen = new Map<string, number>()
  return spans.map((span) => {
    const text = code.slice(span.start, span.end)
    const occurrence = (seen.get(text) ?? 0) + 1
    seen.set(text, occurrence)
    return { ...span, file, noun: file.slice(features.length + 1).split('/')[0] ?? '', text, occurrence }
  })
}

/** The offset after the parenthesis that closes the first one. */
function endOfCall(code: string, start: number): number {
  let depth = 0
  for (let at = code.indexOf('(', start); at < code.length; at += 1) {
    if (code[at] === '(') depth += 1
    if (code[at] === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  throw new Error('a parenthesis is not closed')
}
