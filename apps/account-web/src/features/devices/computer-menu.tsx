import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionMenu } from '../../page/action-menu.tsx'
import classes from '../../page/object-actions.module.css'
import { usePage } from '../../page/page-data.ts'

interface Props {
  /** Name of the computer. */
  name: string
  onReplace(): void
  /** On hover or focus, before the dialog opens. */
  onPreload(): void
  /** The action of the device itself, if there is one. */
  children: ReactNode
}

/** A device's own action, and what can be done with the whole computer. A support agent replaces none. */
export function ComputerMenu({ name, onReplace, onPreload, children }: Props) {
  const { t } = useTranslation('devices')
  const { support } = usePage()
  if (support) return children
  const replace = { key: 'replace', label: t('computer.replace', { name }), onPress: onReplace, onPreload }

  return (
    <div className={classes.actions}>
      {children}
      <ActionMenu label={t('computer.more', { name })} actions={[replace]} />
    </div>
  )
}
