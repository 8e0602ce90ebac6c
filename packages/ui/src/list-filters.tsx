import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './list-filters.module.css'

interface Props {
  /** Undefined while nothing is filtered, so that there is nothing to clear. */
  onClear: (() => void) | undefined
  /** A `SearchBox` and `FilterSelect`s. */
  children: ReactNode
}

/** The row above a list: search, filters, and a button that clears them (000 §2.6, §2.7). */
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
