import type { ActiveSession } from '@atrium/contract/active-sessions.ts'
import { useTranslation } from 'react-i18next'

/** The name of a session's browser: `Firefox on Windows`. */
export function useBrowserName() {
  const { t } = useTranslation('security')
  return ({ browser, system }: ActiveSession) => {
    const name = browser || t('sessions.unknown')
    return system === '' ? name : t('sessions.onSystem', { browser: name, system })
  }
}
