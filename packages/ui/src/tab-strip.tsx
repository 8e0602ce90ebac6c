import { Tabs } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import classes from './tab-strip.module.css'

interface Props {
  /** What the tabs choose between, unless their names say it. */
  label?: string
  /** Value of the open tab. */
  shown: string
  /** `Tabs.Tab`s. */
  children: ReactNode
}

/** The tabs of a `Tabs` on one line, scrolling if there is no room. The open one is scrolled into view. */
export function TabStrip({ label, shown, children }: Props) {
  const strip = useRef<HTMLDivElement>(null)

  // A shared link may open a tab beyond the edge of a phone's screen.
  useEffect(() => {
    const view = strip.current
    const tab = view?.querySelector<HTMLElement>(`[id$="-tab-${CSS.escape(shown)}"]`)
    if (!view || !tab) return
    const isInSight =
      tab.offsetLeft >= view.scrollLeft && tab.offsetLeft + tab.offsetWidth <= view.scrollLeft + view.clientWidth
    if (!isInSight) view.scrollLeft = tab.offsetLeft
  }, [shown])

  return (
    <Tabs.List className={classes.strip ?? ''} aria-label={label} ref={strip}>
      {children}
    </Tabs.List>
  )
}
