import { IconAlertTriangle, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

export type Tone = 'good' | 'warning' | 'info' | 'bad' | 'off'

interface Props {
  tone: Exclude<Tone, 'off' | 'good'>
  title?: string
  /** A button at the end, or below on a phone. */
  action?: ReactNode
  children: ReactNode
}

/** Important information at the top: a card with a colored start edge. */
export function Notice({ tone, title, action, children }: Props) {
  const Icon = tone === 'info' ? IconInfoCircle : IconAlertTriangle

  return (
    <div className={classes.notice} data-tone={tone}>
      <div className={classes.message}>
        <Icon size={20} stroke={1.6} className={classes.icon} aria-hidden />
        <div className={classes.text}>
          {title && <strong>{title}</strong>}
          <div>{children}</div>
        </div>
      </div>
      {action && <div className={classes.action}>{action}</div>}
    </div>
  )
}
