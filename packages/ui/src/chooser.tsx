import { type ComboboxItem, Select, type SelectProps } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { bestFirst, type Choice, exactly } from './chooser.rules.ts'

interface Props extends Omit<SelectProps, 'data' | 'value' | 'defaultValue' | 'onChange'> {
  choices: readonly Choice[]
  /** A code of theirs; empty: none yet. */
  value?: string
  defaultValue?: string
  onChange?(code: string): void
}

/** A long list of which one is needed: typed and confirmed with Enter, the first that fits is meant, and no other. */
export function Chooser({ choices, value, defaultValue = '', onChange, ...field }: Props) {
  const { t } = useTranslation('common')
  const [own, setOwn] = useState(defaultValue)
  const [typed, setTyped] = useState('')
  const chosen = value ?? own
  const chosenName = choices.find(({ code }) => code === chosen)?.name ?? ''

  function choose(code: string) {
    setOwn(code)
    onChange?.(code)
  }

  function take(choice: Choice | undefined) {
    if (choice && choice.code !== chosen) choose(choice.code)
  }

  function confirm(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' || typed === '' || typed === chosenName) return
    // It would send the form with the choice of before.
    event.preventDefault()
    const isPointedAt = event.currentTarget.hasAttribute('aria-activedescendant')
    if (!isPointedAt) take(bestFirst(choices, typed)[0])
  }

  return (
    <Select
      {...field}
      data={choices.map(({ code, name }) => ({ value: code, label: name }))}
      value={chosen || null}
      onChange={(code) => code !== null && choose(code)}
      searchValue={typed}
      onSearchChange={setTyped}
      onKeyDown={confirm}
      onBlur={(event) => {
        take(exactly(choices, typed))
        field.onBlur?.(event)
      }}
      withAsterisk
      aria-required
      searchable
      allowDeselect={false}
      openOnFocus={false}
      selectFirstOptionOnChange
      maxDropdownHeight="min(220px, 40vh)"
      nothingFoundMessage={t('nothingFound')}
      filter={({ options, search }) => {
        const items = new Map(options.filter(isItem).map((item) => [item.value, item]))
        return bestFirst(choices, search).flatMap(({ code }) => items.get(code) ?? [])
      }}
      // Its choices belong to the dialog, for a screen reader too.
      comboboxProps={{ withinPortal: false, shadow: 'md' }}
    />
  )
}

function isItem(option: object): option is ComboboxItem {
  return 'value' in option
}
