import type { OrderArchive } from '@atrium/contract/order-files.ts'
import { yearOf } from '@atrium/contract/range.ts'
import { formatMoment } from '@atrium/ui/date-format.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { Button, VisuallyHidden } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { sizeText } from '../../page/file-size.rules.ts'
import { useRangeOptions } from '../../page/use-range-options.ts'
import { useSaveOrderArchive } from './order-files.data.ts'
import classes from './order-files.module.css'

interface Props {
  /** Undefined: there is none, or not any more. */
  archive: OrderArchive | undefined
  statuses: Dictionary
}

/** How far the member's latest archive is, also after the page was closed; then the file, for a day. */
export function OrderArchiveCard({ archive, statuses }: Props) {
  const { t } = useTranslation('orders')
  const locale = useLocale()
  const save = useSaveOrderArchive()
  const file = archive?.file
  const title = t(file ? 'files.ready' : 'files.preparing')

  return (
    <>
      {/* Its changes alone are read out, not every step. */}
      <VisuallyHidden role="status">{archive && title}</VisuallyHidden>
      {archive && (
        <Notice
          tone={archive.missing.length > 0 ? 'warning' : 'info'}
          title={title}
          action={
            file && (
              <Button
                variant="default"
                loading={save.isPending}
                leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
                onClick={() => save.mutate()}
              >
                {t('files.save', { size: sizeText(locale, file.size) })}
              </Button>
            )
          }
        >
          <Progress archive={archive} statuses={statuses} />
          <p className={classes.hint}>
            {file ? t('files.until', { date: formatMoment(locale, new Date(file.expiresAt)) }) : t('files.leave')}
          </p>
          {archive.missing.length > 0 && <Missing numbers={archive.missing} />}
        </Notice>
      )}
      {!archive && save.data === false && <p role="status">{t('files.gone')}</p>}
      {save.error && <InlineFailure problem={save.error} />}
    </>
  )
}

/** Of which orders it is, and how many of their documents it has so far. */
function Progress({ archive, statuses }: { archive: OrderArchive; statuses: Dictionary }) {
  const { t } = useTranslation('orders')
  const locale = useLocale()
  const { filter, total, done, missing, file } = archive
  const ranges = useRangeOptions(filter.range)
  const range = yearOf(filter.range) ?? ranges.find(({ value }) => value === filter.range)?.label
  const status = filter.status && statuses.nameOf(filter.status)
  const number = new Intl.NumberFormat(locale)
  const shown = file ? total - missing.length : done

  return (
    <>
      <p>
        {joinWithDots([
          range ?? t('filters.anyDate'),
          status,
          filter.keyWord,
          t('files.progress', { done: number.format(shown), total: number.format(total) }),
        ])}
      </p>
      {!file && <progress className={classes.bar} max={total} value={done} aria-label={t('files.preparing')} />}
    </>
  )
}

/** As many as can be read; the ZIP lists all. A line does not end within a number. */
function Missing({ numbers }: { numbers: readonly string[] }) {
  const { t } = useTranslation('orders')
  const [before, after] = t('files.missing', { numbers: '\n' }).split('\n')

  return (
    <p>
      {before}
      {numbers.slice(0, 5).map((number, place) => (
        <Fragment key={number}>
          {place > 0 && ', '}
          <span className={classes.number}>{number}</span>
        </Fragment>
      ))}
      {numbers.length > 5 && ' …'}
      {after}
    </p>
  )
}
