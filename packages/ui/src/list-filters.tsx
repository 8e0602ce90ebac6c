import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './list-filters.module.css'

interface Props {
  /** Absent while nothing is filtered: then there is nothing to clear. */
  onClear: (() => void) | undefined
  /** A `SearchBox` and `FilterSelect`s. */
  children: ReactNode
}

/** The row over a list: its search, its filters, and the way back to all of it (000 §2.6, §2.7). */
export function ListFilters({ onClear, children }: Props) {
  const { t } = useTranslation('common')

  return (
    <div className={classes.filters}>
      {children}
      {onClear && (
        <Button variant="subtle" color="gray" className={classes.clear ?? ''} onClick={onClear}>
          {t('filters.clearAll')}
        </Button>
      )}
    </div>
  )
}
