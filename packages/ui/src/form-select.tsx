import { NativeSelect, type NativeSelectProps } from '@mantine/core'

interface Props extends Omit<NativeSelectProps, 'data' | 'value' | 'defaultValue'> {
  choices: readonly { code: string; name: string }[]
  /** What stands there while nothing is chosen, or something that is no longer offered. */
  placeholder: string
  /** A code; empty: none yet. */
  value?: string
  defaultValue?: string
}

/** One choice that a form needs. The browser's own (record 013): its keys, a phone's wheel and autofill are known to everybody. */
export function FormSelect({ choices, placeholder, value, defaultValue, ...field }: Props) {
  // React would show the first of them for a code that is not among them.
  const offered = (code: string) => (choices.some((choice) => choice.code === code) ? code : '')
  return (
    <NativeSelect
      {...field}
      {...(value !== undefined && { value: offered(value) })}
      {...(defaultValue !== undefined && { defaultValue: offered(defaultValue) })}
      withAsterisk
      aria-required
      data={[
        { value: '', label: placeholder, disabled: true },
        ...choices.map(({ code, name }) => ({ value: code, label: name })),
      ]}
    />
  )
}
