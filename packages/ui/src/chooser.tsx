import { type ComboboxItem, Select, type SelectProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
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
export function Chooser({ choices, value, defaultValue = '', onChange, ref, ...field }: Props) {
  const { t } = useTranslation('common')
  const [own, setOwn] = useState(defaultValue)
  const [isOpen, setOpen] = useState(false)
  const isPointing = useRef(false)
  const input = useFocusPassedOn()
  const chosen = value ?? own
  const chosenName = choices.find(({ code }) => code === chosen)?.name ?? ''
  const [typed, setTyped] = useState(chosenName)

  function choose(code: string) {
    setOwn(code)
    onChange?.(code)
  }

  function take(choice: Choice | undefined) {
    if (choice && choice.code !== chosen) choose(choice.code)
  }

  function type(text: string) {
    isPointing.current = false
    setTyped(text)
  }

  function confirm(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') isPointing.current = true
    if (event.key === 'Escape') isPointing.current = false
    const [best] = typed === '' ? [] : bestFirst(choices, typed)
    const isPointedAt = isOpen && isPointing.current && (best !== undefined || typed === chosenName)
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || isPointedAt) return
    const isMeant = typed === chosenName && typed !== ''
    setOpen(false)
    if (isMeant || (typed === '' && chosenName === '')) return
    // It would send the form with the choice of before.
    event.preventDefault()
    event.stopPropagation()
    if (best) take(best)
    setTyped(best?.name ?? chosenName)
  }

  return (
    <Select
      {...field}
      ref={useMergedRef(input, ref)}
      data={choices.map(({ code, name }) => ({ value: code, label: name }))}
      value={chosen || null}
      onChange={(code) => code !== null && choose(code)}
      searchValue={typed}
      onSearchChange={type}
      // Before the list hears of it.
      onKeyDownCapture={confirm}
      // What is typed next takes its place.
      onFocus={({ currentTarget }) => currentTarget.select()}
      onBlur={(event) => {
        take(exactly(choices, typed))
        field.onBlur?.(event)
      }}
      withAsterisk
      aria-required
      searchable
      allowDeselect={false}
      openOnFocus={false}
      dropdownOpened={isOpen}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
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

/** When the field goes away with the focus in it, as a state does with its country, the next field of the form has it. */
function useFocusPassedOn() {
  const field = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    const input = field.current
    return () => {
      if (!input || document.activeElement !== input) return
      const fields = [...(input.form?.elements ?? [])].filter((one) => one instanceof HTMLInputElement)
      const next = fields.slice(fields.indexOf(input) + 1).find(({ type }) => type !== 'hidden')
      setTimeout(() => !input.isConnected && next?.focus())
    }
  }, [])
  return field
}

function isItem(option: object): option is ComboboxItem {
  return 'value' in option
}
