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

/** The tabs of a `Tabs` on one line, scrolling if there is no room, and fading out where there are more. The open one is in sight. */
export function TabStrip({ label, shown, children }: Props) {
  const strip = useRef<HTMLDivElement>(null)

  // A shared link may open a tab beyond the edge of a phone's screen.
  useEffect(() => {
    const view = strip.current
    const tab = view?.querySelector<HTMLElement>(`[id$="-tab-${CSS.escape(shown)}"]`)
    if (view && tab) view.scrollLeft = tab.offsetLeft - (view.clientWidth - tab.offsetWidth) / 2
  }, [shown])

  useEffect(() => {
    const view = strip.current
    if (!view) return undefined
    const mark = () => {
      view.toggleAttribute('data-more-before', view.scrollLeft > 1)
      view.toggleAttribute('data-more-after', view.scrollLeft + view.clientWidth < view.scrollWidth - 1)
    }
    const resized = new ResizeObserver(mark)
    for (const element of [view, ...view.children]) resized.observe(element)
    view.addEventListener('scroll', mark, { passive: true })
    return () => {
      resized.disconnect()
      view.removeEventListener('scroll', mark)
    }
  }, [])

  return (
    <Tabs.List className={classes.strip ?? ''} aria-label={label} ref={strip}>
      {children}
    </Tabs.List>
  )
}
