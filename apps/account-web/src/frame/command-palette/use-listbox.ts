import { type KeyboardEvent, useEffect, useId, useState } from 'react'

/**
 * A text field whose list of options is moved through with the arrow keys while the focus stays in it (the ARIA pattern "combobox"). The
 * first option is active until another one is; a library's combobox would not tell a screen reader of it.
 */
export function useListbox(label: string, keys: readonly string[], onChoose: (key: string) => void) {
  const id = useId()
  const [wanted, setWanted] = useState('')
  const place = Math.max(0, keys.indexOf(wanted))
  const active = keys[place]
  const optionId = (key: string) => `${id}-${keys.indexOf(key)}`
  const activeId = active === undefined ? undefined : optionId(active)

  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const moves: Readonly<Record<string, number>> = { ArrowDown: place + 1, ArrowUp: place - 1 }

  function onKeyDown(event: KeyboardEvent) {
    // Enter and the arrows choose among the words that an input method offers.
    if (event.nativeEvent.isComposing) return
    const next = moves[event.key]
    if (next !== undefined) setWanted(keys.at(next % keys.length) ?? '')
    else if (event.key === 'Enter' && active !== undefined) onChoose(active)
    else return
    event.preventDefault()
  }

  return {
    field: {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': true,
      'aria-controls': id,
      'aria-activedescendant': activeId,
      onKeyDown,
    } as const,
    list: { id, role: 'listbox', 'aria-label': label } as const,
    option: (key: string) =>
      ({
        id: optionId(key),
        role: 'option',
        'aria-selected': key === active,
        // The focus stays in the field.
        onMouseDown: (event: { preventDefault(): void }) => event.preventDefault(),
        onClick: () => onChoose(key),
      }) as const,
  }
}
