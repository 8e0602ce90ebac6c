import { NativeSelect } from '@mantine/core'
import classes from './filter-select.module.css'

interface Option {
  value: string
  label: string
}

interface Props {
  /** What is filtered, for a screen reader: "Status". */
  label: string
  /** What no choice means, and how to come back to it: "Any status". */
  placeholder: string
  /** Absent: not filtered. */
  value: string | undefined
  options: readonly Option[]
  onChange(value: string | undefined): void
  disabled?: boolean
}

/** One filter of a list. The browser's own chooser: it is at home on a phone, and costs no script. */
export function FilterSelect({ label, placeholder, value, options, onChange, disabled = false }: Props) {
  return (
    <NativeSelect
      aria-label={label}
      data={[{ value: '', label: placeholder }, ...options]}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
      disabled={disabled}
      className={classes.box ?? ''}
      classNames={{ wrapper: classes.wrapper ?? '' }}
    />
  )
}
