import { NativeSelect, type NativeSelectProps } from '@mantine/core'
import { type Choice, offered } from './choices.rules.ts'

interface Props extends Omit<NativeSelectProps, 'data' | 'value' | 'defaultValue'> {
  choices: readonly Choice[]
  /** Shown while nothing is chosen, or something that is no longer offered. */
  placeholder: string
  /** A code; empty if not chosen yet. */
  value: string
}

/**
 * A select in a form. Native (record 013), for its familiar keys, phone list and autofill. Its choices may change while it is
 * shown; if the chosen one is missing, a browser alone would show another.
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
