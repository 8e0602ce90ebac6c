import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { linkedAccountsQuery } from './linked-accounts.data.ts'
import { linkRows } from './linked-accounts.rules.ts'
import { LinkedAccountsTable } from './linked-accounts-table.tsx'
import classes from './security-settings-screen.module.css'
import { useLinkedAccountPopups } from './use-linked-account-popups.ts'

/** The login providers of the account (001 §2). Not shown by a vendor who has set up none. */
export function LinkedAccountsSection() {
  const { t } = useTranslation('security')
  const { data, error, refetch, isFetching } = useQuery(linkedAccountsQuery)
  const { progress, link, unlink } = useLinkedAccountPopups()
  const rows = data && linkRows(data)
  if (rows?.length === 0 || (!rows && !error)) return null

  return (
    <section aria-labelledby="linked-accounts">
      <div className={classes.sectionHead}>
        <h2 id="linked-accounts">{t('linked.title')}</h2>
        <p className={classes.lead}>{t('linked.lead')}</p>
        <p className={classes.status} role="status">
          {progress === 'waiting' && t('linked.waiting')}
          {progress === 'blocked' && t('password.blocked')}
        </p>
      </div>
      <LinkedAccountsTable
        rows={rows}
        onLink={link}
        onUnlink={unlink}
        problem={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    </section>
  )
}
