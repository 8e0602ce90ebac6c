import type { KeyDevices } from '@atrium/contract/devices.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { PageFrame } from '@atrium/ui/page-frame.tsx'
import { breakpoints } from '@atrium/ui/theme.ts'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAddress } from '../../page/use-address.ts'
import { Allowance } from './allowance.tsx'
import { DeviceSearchBox } from './device-search-box.tsx'
import { type KeyPage, keyDevicesQuery } from './devices.data.ts'
import classes from './devices.module.css'
import { DevicesSearch } from './devices.search.ts'
import { ExportRecord } from './export-record.tsx'
import { KeyDeviceList } from './key-device-list.tsx'
import { RefusedView } from './refused-view.tsx'
import { useBreadcrumb } from './use-breadcrumb.ts'

interface Props {
  /** The key's opaque id. */
  code: string
}

/** Device Management › Manage Devices › All Devices: the devices of a key. */
export function AllDevicesScreen({ code }: Props) {
  const { t } = useTranslation('devices')
  const [{ keyWord = '', page = 1, licenseId }] = useAddress(DevicesSearch)
  const place = { code, keyWord, page }
  const { data, error } = useQuery(keyDevicesQuery(place))
  const { toDevices, toKeys } = useBreadcrumb()
  const license = data?.licenseId ?? licenseId

  return (
    <PageFrame
      title={t('all.title')}
      count={data?.total}
      lead={data && <KeyLead keyDevices={data} />}
      breadcrumb={license ? [toDevices, toKeys(license)] : [toDevices]}
    >
      <RefusedView problem={data ? null : error} onBack={toDevices.onOpen}>
        <KeyDeviceView place={place} keyDevices={data} />
      </RefusedView>
    </PageFrame>
  )
}

function KeyLead({ keyDevices: { activationKey, productName } }: { keyDevices: KeyDevices }) {
  const { t } = useTranslation('devices')
  return (
    <>
      {t('columns.key')} <span className={`code ${classes.whole}`}>{activationKey}</span>
      {'\u00a0· '}
      {productName}
    </>
  )
}

interface ViewProps {
  place: KeyPage
  /** Undefined while loading. */
  keyDevices: KeyDevices | undefined
}

function KeyDeviceView({ place, keyDevices }: ViewProps) {
  const { t } = useTranslation('devices')
  const hasRoom = useMediaQuery(`(min-width: ${breakpoints.table}px)`, true, { getInitialValueInEffect: false })
  const isSearch = place.keyWord !== ''
  const hasSome = isSearch || keyDevices?.total !== 0
  const exported = keyDevices && hasSome && <ExportRecord code={place.code} />

  return (
    <>
      {keyDevices && !keyDevices.isValid && <Notice tone="warning">{t('all.notValid')}</Notice>}
      {(hasRoom || keyDevices?.isValid !== false) && (
        <div className={classes.above}>
          {keyDevices?.isValid && (
            <Allowance left={keyDevices.deactivationsLeft} allowance={keyDevices.deactivationAllowance} />
          )}
          {hasRoom && exported}
        </div>
      )}
      {hasSome && <DeviceSearchBox label={t('search.devices')} placeholder={t('search.ofKey')} />}
      <KeyDeviceList place={place} keyDevices={keyDevices} />
      {!hasRoom && <div className={classes.below}>{exported}</div>}
    </>
  )
}
