import type { FoundKey } from '@atrium/contract/devices.ts'
import type { Column } from '@atrium/ui/list-column.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { useTranslation } from 'react-i18next'
import { PagedList } from '../../page/paged-list.tsx'
import { ActiveDevices } from './active-devices.tsx'
import { foundKeysQuery } from './devices.data.ts'
import classes from './devices.module.css'
import { NoDeviceFound } from './no-device-found.tsx'
import { ViewLink } from './view-link.tsx'

/** The keys whose devices, license or last characters have what is searched for. */
export function FoundKeys({ keyWord }: { keyWord: string }) {
  const { t } = useTranslation('devices')
  return (
    <PagedList
      label={t('search.found')}
      columns={useColumns()}
      rowKey={(key) => key.code}
      query={(page) => foundKeysQuery({ keyWord, page })}
      read={({ list, total }) => ({ rows: list, total })}
      empty={<NoDeviceFound />}
    />
  )
}

function useColumns(): Column<FoundKey>[] {
  const { t } = useTranslation('devices')
  return [
    {
      key: 'devices',
      label: t('columns.device'),
      place: 'title',
      width: '18%',
      render: (key) => <Computers found={key} />,
    },
    {
      key: 'key',
      label: t('columns.key'),
      render: ({ activationKey }) => <span className={`code ${classes.mac}`}>{activationKey}</span>,
    },
    { key: 'product', label: t('columns.product'), render: ({ productName }) => productName },
    { key: 'active', label: t('columns.activeDevices'), render: (key) => <ActiveDevices keyCode={key} /> },
    {
      key: 'action',
      label: t('columns.action'),
      place: 'action',
      align: 'end',
      render: ({ code, licenseId, activationKey, foundDevices }) => (
        <ViewLink
          label={t('all.title')}
          name={t('all.of', { key: activationKey })}
          // Of a key that was found by its own characters, all devices are shown.
          changes={{ licenseId, code, page: undefined, ...(foundDevices === 0 && { keyWord: undefined }) }}
        />
      ),
    },
  ]
}

/** The newest computers found, and how many more there are; without any, the license of the key. */
function Computers({ found: { computers, foundDevices, licenseId } }: { found: FoundKey }) {
  const locale = useLocale()
  if (computers.length === 0) return <span className="code">{licenseId}</span>
  const more = foundDevices - computers.length
  const names = more === 0 ? computers : [...computers, `+${new Intl.NumberFormat(locale).format(more)}`]
  return <span className={classes.name}>{new Intl.ListFormat(locale, { type: 'unit' }).format(names)}</span>
}
