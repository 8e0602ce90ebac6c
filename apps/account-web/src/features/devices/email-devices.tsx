import type { EmailDevice } from '@atrium/contract/devices.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../api/dictionaries.data.ts'
import { DictionaryFailure } from '../../shell/dictionary-failure.tsx'
import { PagedList } from '../../shell/paged-list.tsx'
import { emailDevicesQuery } from './devices.data.ts'
import { useEmailDeviceColumns } from './email-device-columns.tsx'

const loadDialog = () => import('./deactivate-email-device-dialog.tsx')
const DeactivateEmailDeviceDialog = lazy(async () => ({ default: (await loadDialog()).DeactivateEmailDeviceDialog }))

/** Devices that were activated by signing in on them, newest first. */
export function EmailDevices({ page }: { page: number }) {
  const { t } = useTranslation('devices')
  const statuses = useDictionary('subscription-status')
  const [leaving, setLeaving] = useState<EmailDevice>()
  const columns = useEmailDeviceColumns({
    statuses,
    onDeactivate: setLeaving,
    onApproach: () => void loadDialog().catch(() => undefined),
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
      {leaving && (
        <Suspense fallback={null}>
          <DeactivateEmailDeviceDialog device={leaving} page={page} onClose={() => setLeaving(undefined)} />
        </Suspense>
      )}
    </>
  )
}
