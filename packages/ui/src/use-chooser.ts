import type { ComboboxItem, OptionsFilter } from '@mantine/core'
import type { KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'

interface Choice {
  code: string
  name: string
}

/** A long list of which one is needed: typed and confirmed with Enter, the first that fits is meant, and no other. */
export function useChooser() {
  const { t } = useTranslation('common')
  return (list: readonly Choice[]) => ({
    data: list.map(({ code, name }) => ({ value: code, label: name })),
    withAsterisk: true,
    'aria-required': true,
    searchable: true,
    allowDeselect: false,
    openOnFocus: false,
    selectFirstOptionOnChange: true,
    nothingFoundMessage: t('nothingFound'),
    filter: bestFirst,
    // Enter on what fits nothing would send the form with the choice of before.
    onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
      const typed = event.currentTarget.value
      if (event.key === 'Enter' && typed !== '' && !list.some(({ name }) => name === typed)) event.preventDefault()
    },
    // Its choices belong to the dialog, for a screen reader too.
    comboboxProps: { withinPortal: false, shadow: 'md' as const },
  })
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
