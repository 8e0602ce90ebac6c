import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { type RefObject, useLayoutEffect, useRef } from 'react'
import classes from './card-actions.module.css'

export interface CardAction {
  key: string
  label: string
  onPress(): void
  /** On hover or focus, before the action. */
  onPreload?(): void
  /** Removes something. */
  isDestructive?: boolean
}

interface Props {
  label: string
  actions: readonly CardAction[]
  /** Gets the focus if the menu disappears with the chosen action. */
  fallback?: RefObject<HTMLElement | null>
}

/** The less likely actions of an object, behind three dots. */
export function ActionMenu({ label, actions, fallback }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  useFocusFallback(place, fallback)

  function press({ onPress }: CardAction) {
    // The dialog that opens returns the focus to the trigger, not to an entry of the closed menu.
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

/** Moves the focus to `fallback` when the part unmounts with it. */
function useFocusFallback(part: RefObject<HTMLElement | null>, fallback?: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const leaving = part.current
    return () => {
      if (leaving?.contains(document.activeElement)) fallback?.current?.focus({ preventScroll: true })
    }
  }, [part, fallback])
}
