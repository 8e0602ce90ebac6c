import type { ActiveSession } from '@atrium/contract/active-sessions.ts'
import { dateOfSeconds } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { ListTable } from '@atrium/ui/list-table.tsx'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { activeSessionsQuery } from './active-sessions.data.ts'
import classes from './active-sessions-table.module.css'
import { NetworkAddress } from './network-address.tsx'
import { useBrowserName } from './use-browser-name.ts'

interface Props {
  onEnd(session: ActiveSession): void
  /** The person is about to press the button. */
  onIntent(): void
}

export function ActiveSessionsTable(props: Props) {
  const { t } = useTranslation('security')
  const { data, error, refetch, isFetching } = useQuery(activeSessionsQuery)
  const columns = useColumns(props)

  return (
    <ListTable
      label={t('sessions.title')}
      columns={columns}
      rows={data?.sessions}
      rowKey={({ id }) => id}
      problem={error}
      onRetry={() => void refetch()}
      isRetrying={isFetching}
      skeletonRows={2}
      empty={null}
    />
  )
}

function useColumns({ onEnd, onIntent }: Props): Column<ActiveSession>[] {
  const { t } = useTranslation('security')
  return [
    {
      key: 'browser',
      label: t('sessions.browser'),
      place: 'title',
      render: (session) => <BrowserName session={session} />,
    },
    { key: 'address', label: t('sessions.address'), render: ({ address }) => <NetworkAddress address={address} /> },
    {
      key: 'usedAt',
      label: t('sessions.usedAt'),
      render: ({ usedAt }) => <DateText date={dateOfSeconds(usedAt)} withTime />,
    },
    {
      key: 'startedAt',
      label: t('sessions.startedAt'),
      render: ({ startedAt }) => <DateText date={dateOfSeconds(startedAt)} withTime />,
    },
    {
      key: 'action',
      label: t('sessions.action'),
      place: 'action',
      align: 'end',
      render: (session) => <EndButton session={session} onEnd={onEnd} onIntent={onIntent} />,
    },
  ]
}

function BrowserName({ session }: { session: ActiveSession }) {
  const { t } = useTranslation('security')
  const nameOf = useBrowserName()
  return (
    <span className={classes.browser}>
      <strong>{nameOf(session)}</strong>
      {session.isCurrent && <span className={classes.current}>{t('sessions.current')}</span>}
    </span>
  )
}

function EndButton({ session, onEnd, onIntent }: Props & { session: ActiveSession }) {
  const { t } = useTranslation('security')
  const nameOf = useBrowserName()
  // The page's own is ended by Sign out.
  if (session.isCurrent) return null
  return (
    <Button
      variant="default"
      aria-label={t('sessions.endName', { browser: nameOf(session) })}
      onClick={() => onEnd(session)}
      onMouseEnter={onIntent}
      onFocus={onIntent}
    >
      {t('sessions.end')}
    </Button>
  )
}
