import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'

interface Props {
  /** ISO 8601; null: not known. */
  date: string | null
}

/** The state of a device that is not active, and since when it is not. */
export function InactiveSince({ date }: Props) {
  const { t } = useTranslation('devices')
  const locale = useLocale()
  const sentence = date ? t('state.inactiveSince', { date: formatDate(locale, new Date(date)) }) : t('state.inactive')
  return <StatusDot tone="off">{sentence}</StatusDot>
}
