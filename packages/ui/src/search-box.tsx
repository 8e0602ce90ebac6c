import { CloseButton, Input, UnstyledButton } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { type FormEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './search-box.module.css'

interface Props {
  /** Name of the search, for a screen reader: "Search orders". */
  label: string
  /** What can be searched for. */
  placeholder: string
  /** The current search, from the address. */
  value: string
  /** Trimmed; empty clears the search. */
  onSearch(value: string): void
  maxLength?: number
}

/** Searches on Enter or its button, never while typing (000 §5). */
export function SearchBox({ label, placeholder, value, onSearch, maxLength = 200 }: Props) {
  const { t } = useTranslation('common')
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useTyped(value)

  function search(event: FormEvent) {
    event.preventDefault()
    const wanted = typed.trim()
    setTyped(wanted)
    if (wanted !== value) onSearch(wanted)
  }

  function clear() {
    setTyped('')
    if (value !== '') onSearch('')
    input.current?.focus()
  }

  return (
    <search aria-label={label} className={classes.box}>
      <form onSubmit={search}>
        <Input
          ref={input}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          placeholder={placeholder}
          aria-label={label}
          maxLength={maxLength}
          enterKeyHint="search"
          autoComplete="off"
          classNames={{ wrapper: classes.wrapper ?? '', input: classes.input ?? '' }}
          leftSectionPointerEvents="all"
          leftSection={
            <UnstyledButton type="submit" className={classes.action} aria-label={t('filters.search')}>
              <IconSearch size={17} stroke={1.7} aria-hidden />
            </UnstyledButton>
          }
          rightSectionPointerEvents="all"
          rightSection={
            typed !== '' && (
              <CloseButton size="sm" radius="sm" aria-label={t('filters.clearSearch')} onClick={clear} type="button" />
            )
          }
        />
      </form>
    </search>
  )
}

/** The input's text: what was typed, until the address changes, for instance after Back. */
function useTyped(value: string) {
  const [typed, setTyped] = useState(value)
  const [followed, setFollowed] = useState(value)
  if (followed !== value) {
    setFollowed(value)
    setTyped(value)
  }
  return [typed, setTyped] as const
}
