import { formatMoment } from '@atrium/ui/date-format.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { sizeText } from '../../page/file-size.rules.ts'
import { dataExportQuery, useDownloadDataExport, useRequestDataExport } from './data-export.data.ts'
import classes from './security-settings-screen.module.css'
import { SettingsCard } from './settings-card.tsx'

/** A copy of everything that is stored about the member: a job prepares it, and it can be downloaded for a day. */
export function DataExportCard() {
  const { t } = useTranslation('security')
  const locale = useLocale()
  const { data } = useQuery(dataExportQuery)
  const request = useRequestDataExport()
  const download = useDownloadDataExport()
  const file = data?.dataExport?.file
  const isPreparing = request.isPending || file === null
  const isGone = download.data === false && !isPreparing && !file

  return (
    <SettingsCard
      title={t('data.title')}
      lead={t('data.lead')}
      action={
        file ? (
          <Button
            variant="default"
            loading={download.isPending}
            leftSection={<IconDownload size={16} stroke={1.6} />}
            onClick={() => download.mutate()}
          >
            {t('data.download', { size: sizeText(locale, file.size) })}
          </Button>
        ) : (
          <Button variant="default" loading={isPreparing} onClick={() => request.mutate()}>
            {t('data.request')}
          </Button>
        )
      }
    >
      <p className={classes.status} role="status">
        {isPreparing && t('data.preparing')}
        {file && t('data.until', { date: formatMoment(locale, new Date(file.expiresAt)) })}
        {isGone && t('data.gone')}
      </p>
      {request.error && <InlineFailure problem={request.error} sentence={t('data.failed')} />}
      {download.error && <InlineFailure problem={download.error} />}
    </SettingsCard>
  )
}
