import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { activeSessionsQuery } from './active-sessions.data.ts'
import { ActiveSessionsTable } from './active-sessions-table.tsx'
import type { Ending } from './end-sessions-dialog.tsx'
import classes from './security-settings-screen.module.css'

const { Dialog: EndSessionsDialog, preload } = loadableDialog(
  async () => (await import('./end-sessions-dialog.tsx')).EndSessionsDialog,
)

/** The browsers in which the member is signed in, and how to sign them out. */
export function ActiveSessionsSection() {
  const { t } = useTranslation('security')
  const { data } = useQuery(activeSessionsQuery)
  const [ending, setEnding] = useState<Ending>()
  const hasOthers = data?.sessions.some(({ isCurrent }) => !isCurrent) ?? false

  return (
    <section aria-labelledby="active-sessions">
      <div className={classes.sectionHead} data-has-action>
        <div>
          <h2 id="active-sessions">{t('sessions.title')}</h2>
          <p className={classes.lead}>{t('sessions.lead')}</p>
          {data?.isComplete === false && (
            <p className={classes.lead} role="status">
              {t('sessions.incomplete')}
            </p>
          )}
        </div>
        {hasOthers && (
          <Button variant="default" onClick={() => setEnding('others')} onMouseEnter={preload} onFocus={preload}>
            {t('sessions.endOthers')}
          </Button>
        )}
      </div>
      <ActiveSessionsTable onEnd={setEnding} onIntent={preload} />
      {ending && <EndSessionsDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </section>
  )
}
