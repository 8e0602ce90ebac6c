import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { type Choice, offered } from './choices.rules.ts'

interface Props extends Omit<NativeSelectProps, 'data' | 'value' | 'defaultValue'> {
  choices: readonly Choice[]
  /** What stands there while nothing is chosen, or something that is no longer offered. */
  placeholder: string
  /** A code; empty: none yet. */
  value: string
}

/**
 * One choice that a form needs. The browser's own (record 013): its keys, a phone's list and autofill are known to
 * everybody. Its choices may change while it is shown; for what is then missing, a browser would show another one.
 */
export function FormSelect({ choices, placeholder, value, ...field }: Props) {
  return (
    <NativeSelect
      {...field}
      value={offered(choices, value)}
      withAsterisk
      aria-required
      data={[
        { value: '', label: placeholder, disabled: true },
        ...choices.map(({ code, name }) => ({ value: code, label: name })),
      ]}
    />
  )
}
