import { downloadArchive } from '@atrium/contract/archives.ts'
import { formatMoment } from '@atrium/ui/date-format.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dataExportQuery, useRequestDataExport } from './data-export.data.ts'
import { sizeText } from './data-export.rules.ts'
import classes from './security-settings-screen.module.css'
import { SettingsCard } from './settings-card.tsx'

/** A copy of everything that is stored about the member: a job prepares it, and it can be downloaded for a day. */
export function DataExportCard() {
  const { t } = useTranslation('security')
  const locale = useLocale()
  const { data } = useQuery(dataExportQuery)
  const request = useRequestDataExport()
  const { id, file } = data?.dataExport ?? {}
  const isPreparing = request.isPending || file === null

  return (
    <SettingsCard
      title={t('data.title')}
      lead={t('data.lead')}
      action={
        id && file ? (
          <DownloadButton id={id} size={file.size} />
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
      </p>
      {request.error && <InlineFailure problem={request.error} sentence={t('data.failed')} />}
    </SettingsCard>
  )
}

/** A link of the browser's own, so that a large file needs no memory of the page. */
function DownloadButton({ id, size }: { id: string; size: number }) {
  const { t } = useTranslation('security')
  const locale = useLocale()
  return (
    <Button
      component="a"
      href={downloadArchive.path.replace(':id', id)}
      download
      variant="default"
      leftSection={<IconDownload size={16} stroke={1.6} />}
    >
      {t('data.download', { size: sizeText(locale, size) })}
    </Button>
  )
}
