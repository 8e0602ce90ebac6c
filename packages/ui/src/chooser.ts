import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { KeyboardEvent } from 'react'

interface ChooserTexts {
  /** Where nothing fits what was typed. */
  nothingFound: string
}

/** A long list of which one is needed: typed and confirmed with Enter, the first that fits is meant, and no other. */
export function chooser(labels: readonly string[], { nothingFound }: ChooserTexts) {
  return {
    searchable: true,
    allowDeselect: false,
    openOnFocus: false,
    selectFirstOptionOnChange: true,
    nothingFoundMessage: nothingFound,
    filter: bestFirst,
    // Enter on what fits nothing would send the form with the choice of before.
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      const typed = event.currentTarget.value
      if (event.key === 'Enter' && typed !== '' && !labels.includes(typed)) event.preventDefault()
    },
    // Its choices belong to the dialog, for a screen reader too.
    comboboxProps: { withinPortal: false, shadow: 'md' },
  } as const
}

/** The name itself, then names that begin with what was typed, then those that have it: Kansas is not Arkansas. */
export const bestFirst: OptionsFilter = ({ options, search }) => {
  const wanted = plain(search)
  const items = options.filter((option): option is ComboboxItem => 'value' in option)
  return [0, 1, 2].flatMap((rank) => items.filter(({ label }) => rankOf(plain(label), wanted) === rank))
}

function rankOf(label: string, wanted: string): number | undefined {
  if (label === wanted) return 0
  if (label.startsWith(wanted)) return 1
  return label.includes(wanted) ? 2 : undefined
}

function plain(text: string): string {
  return text
    .trim()
    .toLocaleLowerCase()
    .normalize('NFD')
    .replaceAll(/\p{Mn}/gu, '')
}
