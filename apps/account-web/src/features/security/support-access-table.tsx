import type { SupportAccess } from '@atrium/contract/security.ts'
import { dateOfSeconds } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { ListTable } from '@atrium/ui/list-table.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { supportAccessQuery } from './security.data.ts'
import { isRunning } from './security.rules.ts'
import classes from './support-access-table.module.css'

const { Dialog: AccessDurationDialog, preload } = loadableDialog(
  async () => (await import('./access-duration-dialog.tsx')).AccessDurationDialog,
)

interface Props {
  /** Name of the vendor's support. */
  support: string
}

/** One row for the vendor's support: the end of its access, and a button to change it. */
export function SupportAccessTable({ support }: Props) {
  const { t } = useTranslation('security')
  const { data: access, error, refetch, isFetching } = useQuery(supportAccessQuery)
  const [isOpen, setOpen] = useState(false)

  function open() {
    setOpen(true)
    // The ends count from now, not from when the page was loaded.
    void refetch()
  }

  const columns = useColumns(support, open)

  return (
    <>
      <ListTable
        label={t('access.title')}
        columns={columns}
        rows={access && [access]}
        rowKey={() => 'support'}
        problem={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
        skeletonRows={1}
        empty={null}
      />
      {isOpen && access && <AccessDurationDialog access={access} support={support} onClose={() => setOpen(false)} />}
    </>
  )
}

function useColumns(support: string, onOpen: () => void): Column<SupportAccess>[] {
  const { t } = useTranslation('security')
  return [
    {
      key: 'who',
      label: t('access.who'),
      place: 'title',
      render: () => <strong className={classes.who}>{support}</strong>,
    },
    { key: 'until', label: t('access.until'), render: (row) => <Until expireTime={row.grantLoginExpireTime} /> },
    {
      key: 'action',
      label: t('access.action'),
      place: 'action',
      align: 'end',
      render: (row) => (
        <Button variant="default" onClick={onOpen} onMouseEnter={preload} onFocus={preload}>
          {t(isRunning(row.grantLoginExpireTime) ? 'access.change' : 'access.set')}
        </Button>
      ),
    },
  ]
}

function Until({ expireTime }: { expireTime: number }) {
  const { t } = useTranslation('security')
  if (isRunning(expireTime)) return <DateText date={dateOfSeconds(expireTime)} withTime />

  return (
    <span className={classes.none}>
      <span aria-hidden="true">{t('access.none')}</span>
      <span>{t('access.noneYet')}</span>
    </span>
  )
}
