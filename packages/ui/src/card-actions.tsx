import { Button } from '@mantine/core'
import { useRef } from 'react'
import { ActionMenu, type CardAction } from './action-menu.tsx'
import classes from './card-actions.module.css'

interface Props {
  /** The most likely action, shown as a button. */
  first: CardAction
  /** The other actions, in a menu; without any there is no menu. */
  others: readonly CardAction[]
  /** Name of the menu's button: "More actions". */
  moreLabel: string
  /** An action's name with its object, for a screen reader. */
  nameOf(label: string): string
}

/** The actions of a card. */
export function CardActions({ first, others, moreLabel, nameOf }: Props) {
  const button = useRef<HTMLButtonElement>(null)

  return (
    <div className={classes.actions}>
      <Button
        ref={button}
        variant="default"
        size="xs"
        className={classes.first ?? ''}
        aria-label={nameOf(first.label)}
        onClick={first.onPress}
        onMouseEnter={first.onPreload}
        onFocus={first.onPreload}
      >
        {first.label}
      </Button>
      {others.length > 0 && <ActionMenu label={nameOf(moreLabel)} actions={others} fallback={button} />}
    </div>
  )
}
