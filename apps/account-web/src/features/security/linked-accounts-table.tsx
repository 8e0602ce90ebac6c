import type { LinkedAccount } from '@atrium/contract/linked-accounts.ts'
import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { dateOfSeconds, formatDate } from '@atrium/ui/date-format.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { ListTable } from '@atrium/ui/list-table.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { ProviderMark } from '@atrium/ui/provider-mark.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { EmailText } from '../../page/email-text.tsx'
import type { LinkRow } from './linked-accounts.rules.ts'
import classes from './linked-accounts-table.module.css'

interface Actions {
  onLink(provider: ProviderName): void
  onUnlink(account: LinkedAccount): void
}

interface Props extends Actions {
  rows: LinkRow[] | undefined
  problem: unknown
  onRetry(): void
  isRetrying: boolean
}

/** One row for each linked account, and for each provider that can be linked. */
export function LinkedAccountsTable({ rows, problem, onRetry, isRetrying, ...actions }: Props) {
  const { t } = useTranslation('security')
  const columns = useColumns(actions)

  return (
    <ListTable
      label={t('linked.title')}
      columns={columns}
      rows={rows}
      rowKey={({ key }) => key}
      problem={problem}
      onRetry={onRetry}
      isRetrying={isRetrying}
      empty={null}
    />
  )
}

function useColumns(actions: Actions): Column<LinkRow>[] {
  const { t } = useTranslation('security')
  return [
    {
      key: 'provider',
      label: t('linked.provider'),
      place: 'title',
      render: ({ provider }) => <Provider provider={provider} />,
    },
    { key: 'account', label: t('linked.account'), render: ({ account }) => <Account account={account} /> },
    {
      key: 'action',
      label: t('linked.action'),
      place: 'action',
      align: 'end',
      render: (row) => <Action row={row} {...actions} />,
    },
  ]
}

function Provider({ provider }: { provider: ProviderName }) {
  const { t } = useTranslation('common')
  return (
    <span className={classes.provider}>
      <ProviderMark provider={provider} />
      <strong>{t(`providers.${provider}`)}</strong>
    </span>
  )
}

function Account({ account }: { account: LinkedAccount | undefined }) {
  const { t } = useTranslation('security')
  const locale = useLocale()
  if (!account) return <span className={classes.none}>{t('linked.notLinked')}</span>

  const { email, institution } = account
  return (
    <span className={classes.account}>
      {email !== null && (
        <span>
          <EmailText email={email} />
        </span>
      )}
      {institution !== null && <span>{institution}</span>}
      <span className={classes.none}>
        {t('linked.since', { date: formatDate(locale, dateOfSeconds(account.linkedAt)) })}
      </span>
      {!account.canUnlink && <span className={classes.none}>{t('linked.lastWayIn')}</span>}
    </span>
  )
}

function Action({ row: { provider, account }, onLink, onUnlink }: Actions & { row: LinkRow }) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation('common')
  const name = common(`providers.${provider}`)
  if (!account) {
    return (
      <Button variant="default" aria-label={t('linked.linkName', { provider: name })} onClick={() => onLink(provider)}>
        {t('linked.link')}
      </Button>
    )
  }
  return (
    <Button
      variant="default"
      disabled={!account.canUnlink}
      aria-label={t('linked.unlinkName', { provider: name })}
      onClick={() => onUnlink(account)}
    >
      {t('linked.unlink')}
    </Button>
  )
}
