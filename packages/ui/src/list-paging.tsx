import { Pagination, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import classes from './list-paging.module.css'
import { useLocale } from './locale.ts'
import { breakpoints } from './theme.ts'

export interface Paging {
  /** From 1. */
  page: number
  pageSize: number
  total: number
  onPage(page: number): void
  /** A page's control has the pointer or the focus. */
  onPreload?(page: number): void
}

/** "1–10 of 128" and controls for the other pages. A list that fits one page shows neither, but a screen reader hears that it changed. */
export function ListPaging({ page, pageSize, total, onPage, onPreload }: Paging) {
  const { t } = useTranslation('common')
  const number = new Intl.NumberFormat(useLocale())
  const isNarrow = useMediaQuery(`(max-width: ${breakpoints.sheet - 1}px)`, false, { getInitialValueInEffect: false })
  const pages = Math.max(1, Math.ceil(total / pageSize))
  const first = (page - 1) * pageSize + 1
  const last = Math.min(total, page * pageSize)

  const preload = (wanted: number) => {
    const near = () => {
      if (wanted >= 1 && wanted <= pages && wanted !== page) onPreload?.(wanted)
    }
    return { onMouseEnter: near, onFocus: near }
  }

  const range = (
    <span role="status" className="figures">
      {t('paging.range', { first: number.format(first), last: number.format(last), total: number.format(total) })}
    </span>
  )
  if (pages === 1) return <VisuallyHidden>{range}</VisuallyHidden>
  return (
    <div className={classes.paging}>
      {range}
      <nav aria-label={t('paging.name')}>
        <Pagination
          total={pages}
          value={page}
          onChange={onPage}
          size="sm"
          className={classes.pager ?? ''}
          siblings={isNarrow ? 0 : 1}
          getItemProps={(item) => ({
            ...preload(item),
            'aria-label': t('paging.page', { page: number.format(item) }),
          })}
          getControlProps={(control) => ({
            ...preload(control === 'next' ? page + 1 : page - 1),
            'aria-label': t(control === 'next' ? 'paging.next' : 'paging.previous'),
          })}
        />
      </nav>
    </div>
  )
}
