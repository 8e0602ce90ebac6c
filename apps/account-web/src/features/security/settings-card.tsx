import { type ReactNode, useId } from 'react'
import classes from './security-settings-screen.module.css'

interface Props {
  title: string
  lead: string
  action: ReactNode
  /** Below the words: what is going on. */
  children?: ReactNode
}

/** A section that is a few words and one action. */
export function SettingsCard({ title, lead, action, children }: Props) {
  const id = useId()
  return (
    <section className={classes.card} aria-labelledby={id}>
      <div className={classes.words}>
        <h2 id={id}>{title}</h2>
        <p className={classes.lead}>{lead}</p>
        {children}
      </div>
      {action}
    </section>
  )
}
