import { Button } from '@mantine/core'
import { Link, useSearch } from '@tanstack/react-router'
import classes from './devices.module.css'
import type { DevicesSearch } from './devices.search.ts'

interface Props {
  label: string
  /** With the object, for a screen reader: "Manage Devices: 4711". */
  name: string
  /** Of the search parameters. */
  changes: Partial<DevicesSearch>
}

/** A link from a row to its child view. */
export function ViewLink({ label, name, changes }: Props) {
  const address = useSearch({ strict: false })
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.action ?? ''}
      aria-label={name}
      renderRoot={(props) => <Link {...props} to="/account" search={{ ...address, ...changes }} />}
    >
      {label}
    </Button>
  )
}
