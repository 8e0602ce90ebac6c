import type { KeyCode } from '@atrium/contract/licenses.ts'
import { EmptyState } from '@atrium/ui/empty-state.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PagedList } from '../../page/paged-list.tsx'
import { useAddress } from '../../page/use-address.ts'
import { ActiveDevices } from './active-devices.tsx'
import { keyCodesQuery } from './devices.data.ts'
import classes from './devices.module.css'
import { DevicesSearch } from './devices.search.ts'
import { RefusedView } from './refused-view.tsx'
import { useBreadcrumb } from './use-breadcrumb.ts'
import { ViewLink } from './view-link.tsx'

interface Props {
  licenseId: string
}

/** Device Management › Manage Devices: the masked keys of a license and the number of their devices. */
export function ManageDevicesScreen({ licenseId }: Props) {
  const { t } = useTranslation('devices')
  const [{ page = 1 }] = useAddress(DevicesSearch)
  const { data, error } = useQuery(keyCodesQuery(licenseId, page))
  const columns = useColumns(licenseId)
  const { toDevices } = useBreadcrumb()

  return (
    <PageFrame
      title={t('manage.title')}
      count={data?.total}
      lead={
        data && (
          <>
            {data.productName}
            {'\u00a0· '}
            <span className={`code ${classes.whole}`}>{licenseId}</span>
          </>
        )
      }
      breadcrumb={[toDevices]}
    >
      <RefusedView problem={data ? null : error} onBack={toDevices.onOpen}>
        <PagedList
          label={t('manage.list')}
          columns={columns}
          rowKey={(key) => key.code}
          query={(wanted) => keyCodesQuery(licenseId, wanted)}
          read={({ terms, total }) => ({ rows: terms.activationKeyLists, total })}
          empty={<EmptyState picture="papers" sentence={t('manage.empty')} />}
        />
      </RefusedView>
    </PageFrame>
  )
}

function useColumns(licenseId: string): Column<KeyCode>[] {
  const { t } = useTranslation('devices')
  return [
    {
      key: 'key',
      label: t('columns.key'),
      place: 'title',
      width: '40%',
      render: ({ activationKey }) => <span className="code">{activationKey}</span>,
    },
    { key: 'devices', label: t('columns.activeDevices'), render: (key) => <ActiveDevices keyCode={key} /> },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'corner',
      render: ({ codeStatus }) => (
        <StatusDot tone={codeStatus === 'active' ? 'good' : 'off'}>{t(`keyStatus.${codeStatus}`)}</StatusDot>
      ),
    },
    {
      key: 'action',
      label: t('columns.action'),
      place: 'action',
      align: 'end',
      render: ({ code, activationKey }) => (
        <ViewLink
          label={t('all.title')}
          name={t('all.of', { key: activationKey })}
          changes={{ method: 'keycode', licenseId, code, page: undefined }}
        />
      ),
    },
  ]
}
