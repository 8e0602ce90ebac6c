import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useExportActivationRecord } from './devices.data.ts'

/** Saves a key's activation record as a table. */
export function ExportRecord({ code }: { code: string }) {
  const { t } = useTranslation('devices')
  const problemText = useProblemText()
  const record = useExportActivationRecord()

  return (
    <Button
      variant="subtle"
      leftSection={<IconDownload size={17} stroke={1.6} aria-hidden />}
      loading={record.isPending}
      onClick={() => record.mutate(code, { onError: (problem) => showFailure(problemText(problem)) })}
    >
      {t('all.export')}
    </Button>
  )
}
