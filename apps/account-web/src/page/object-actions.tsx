import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useRef } from 'react'
import { ActionMenu } from './action-menu.tsx'
import { type Action, ActionRoot } from './action-root.tsx'
import classes from './object-actions.module.css'

interface Props {
  /** The most likely action, shown as a button. */
  first?: Action | undefined
  /** The other actions, in a menu; without any there is no menu. */
  others: readonly Action[]
  /** Name of the menu's button: "More actions". */
  moreLabel: string
  /** An action's name with its object, for a screen reader. */
  nameOf(label: string): string
}

/** The actions of an object: the most likely as a button, the others in a menu. */
export function ObjectActions({ first, others, moreLabel, nameOf }: Props) {
  const button = useRef<HTMLElement>(null)
  const focusPlace = (element: HTMLElement | null) => {
    button.current = element
  }
  if (!first && others.length === 0) return null

  return (
    <div className={classes.actions}>
      {first && (
        <Button
          variant="default"
          size="xs"
          className={classes.first ?? ''}
          aria-label={nameOf(first.label)}
          rightSection={first.href && <IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
          onMouseEnter={first.onPreload}
          onFocus={first.onPreload}
          renderRoot={(root) => <ActionRoot action={first} {...root} ref={focusPlace} />}
        >
          {first.label}
        </Button>
      )}
      {others.length > 0 && <ActionMenu label={nameOf(moreLabel)} actions={others} fallback={button} />}
    </div>
  )
}
