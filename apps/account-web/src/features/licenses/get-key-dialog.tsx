import type { License } from '@atrium/contract/licenses.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { Failure, InlineFailure } from '@atrium/ui/failure.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import classes from './get-key-dialog.module.css'
import { LicenseKeys } from './license-keys.tsx'
import { licenseKeysQuery, useDownloadKeycodeFile } from './licenses.data.ts'

interface Props {
  license: License
  onClose(): void
}

/** Get The Key (000 §6): the keys of a license in full, for its Holder. */
export function GetKeyDialog({ license, onClose }: Props) {
  const { t } = useTranslation(['licenses', 'common'])
  const { data, error, refetch, isFetching } = useQuery(licenseKeysQuery(license.licenseId))
  const download = useDownloadKeycodeFile()
  const keys = data?.terms.activationKeyLists

  return (
    <DialogFrame title={t('licenses:actions.get_key')} onClose={onClose} width={560}>
      <p className={classes.lead}>
        {license.productName}
        {'\u00a0· '}
        <span className={`code ${classes.id}`}>{license.licenseId}</span>
      </p>
      {download.error && <InlineFailure problem={download.error} />}
      {error && !data && <Failure problem={error} onRetry={() => void refetch()} isRetrying={isFetching} />}
      {!error && !data && <Skeleton width="100%" height={44} />}
      {keys && <LicenseKeys keys={keys} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common:close')}
        </Button>
        <Button
          leftSection={<IconDownload size={16} stroke={1.6} aria-hidden />}
          disabled={!keys || keys.length === 0}
          loading={download.isPending}
          onClick={() =>
            download.mutate(license.licenseId, { onSuccess: () => showSuccess(t('licenses:key.downloaded')) })
          }
        >
          {t('licenses:key.download')}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
