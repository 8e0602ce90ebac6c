import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import classes from './card-actions.module.css'

interface CardAction {
  key: string
  label: string
  onPress(): void
  /** The reader is about to do it. */
  onPreload?(): void
  /** Something is taken away. */
  isDestructive?: boolean
}

interface Props {
  /** The likeliest, as a button. */
  first: CardAction
  /** The rest, in a menu; none, and there is no menu. */
  others: readonly CardAction[]
  /** What the menu's button is called: "More actions". */
  moreLabel: string
  /** An action's name with that of what it is done to, for a screen reader. */
  nameOf(label: string): string
}

/** What can be done with a card. */
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

interface MenuProps {
  label: string
  actions: readonly CardAction[]
  /** Takes the focus when the menu goes with what was chosen in it. */
  fallback: RefObject<HTMLElement | null>
}

function ActionMenu({ label, actions, fallback }: MenuProps) {
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  useFocusLeft(place, fallback)

  function press({ onPress }: CardAction) {
    // What opens then gives the focus back here, not to an entry of a menu that is closed by then.
    trigger.current?.focus()
    onPress()
  }

  return (
    <div ref={place} className={classes.menu}>
      <Menu position="bottom-end" withinPortal={false} withInitialFocusPlaceholder={false}>
        <Menu.Target>
          <ActionIcon ref={trigger} variant="subtle" color="gray" className={classes.more ?? ''} aria-label={label}>
            <IconDots size={18} stroke={1.8} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map((action) => (
            <Menu.Item
              key={action.key}
              onClick={() => press(action)}
              onMouseEnter={action.onPreload}
              onFocus={action.onPreload}
              {...(action.isDestructive && { color: 'var(--bad-text)' })}
            >
              {action.label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    </div>
  )
}

/** A part that goes away while it has the focus leaves it to its neighbor. */
function useFocusLeft(part: RefObject<HTMLElement | null>, fallback: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const leaving = part.current
    return () => {
      if (leaving?.contains(document.activeElement)) fallback.current?.focus({ preventScroll: true })
    }
  }, [part, fallback])
}
