import type { EmailDevice } from '@atrium/contract/devices.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../page/dictionaries.data.ts'
import { DictionaryFailure } from '../../page/dictionary-failure.tsx'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { PagedList } from '../../page/paged-list.tsx'
import { emailDevicesQuery } from './devices.data.ts'
import { useEmailDeviceColumns } from './email-device-columns.tsx'

const { Dialog: DeactivateEmailDeviceDialog, preload } = loadableDialog(
  async () => (await import('./deactivate-email-device-dialog.tsx')).DeactivateEmailDeviceDialog,
)

/** Devices activated by signing in, newest first. */
export function EmailDevices({ page }: { page: number }) {
  const { t } = useTranslation('devices')
  const statuses = useDictionary('subscription-status')
  const [leaving, setLeaving] = useState<EmailDevice>()
  const columns = useEmailDeviceColumns({
    statuses,
    onDeactivate: setLeaving,
    onPreload: preload,
  })

  return (
    <>
      <DictionaryFailure dictionary={statuses} />
      <PagedList
        label={t('email.list')}
        columns={columns}
        rowKey={(device) => device.licenseId}
        query={emailDevicesQuery}
        read={({ licenceList, totalNum }) => ({ rows: licenceList, total: totalNum })}
        empty={<EmptyState picture="devices" sentence={t('email.empty')} />}
      />
      {leaving && <DeactivateEmailDeviceDialog device={leaving} page={page} onClose={() => setLeaving(undefined)} />}
    </>
  )
}
