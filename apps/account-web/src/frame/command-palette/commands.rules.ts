import type { ReactNode } from 'react'

export const commandGroups = [
  'tabs',
  'actions',
  'language',
  'scheme',
  'orders',
  'subscriptions',
  'licenses',
  'devices',
  'users',
] as const

/** Something that the command palette offers. */
export interface Command {
  key: string
  group: (typeof commandGroups)[number]
  label: string
  /** Of the label, if not the page's language. */
  lang?: string
  /** What distinguishes it from others of the same label. */
  detail?: string
  /** What else it is found by. */
  alias?: string
  icon?: ReactNode
  run(): void
}

/** What is offered before anything is typed: languages and color schemes have menus of their own beside it. */
const offeredAtFirst: readonly Command['group'][] = ['tabs', 'actions']

/** The commands whose label or alias contains every typed word, whatever its case and accents. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = folded(typed).split(/\s+/).filter(Boolean)
  if (words.length === 0) return commands.filter(({ group }) => offeredAtFirst.includes(group))
  return commands.filter(({ label, alias = '' }) => {
    const text = folded(`${label} ${alias}`)
    return words.every((word) => text.includes(word))
  })
}

function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
}
