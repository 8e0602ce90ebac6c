import { NativeSelect } from '@mantine/core'
import classes from './filter-select.module.css'

interface Option {
  value: string
  label: string
}

interface Props {
  /** Name of the filter, for a screen reader: "Status". */
  label: string
  /** The entry for no filter: "Any status". */
  placeholder: string
  /** Undefined: not filtered. */
  value: string | undefined
  options: readonly Option[]
  onChange(value: string | undefined): void
  disabled?: boolean
}

/** One filter of a list. A native select: familiar on a phone, and no script to load. */
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
