import type { License } from '@atrium/contract/licenses.ts'
import { dateOfSeconds } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'
import { CopyableCode } from '../../page/copyable-code.tsx'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import classes from './devices.module.css'
import { ViewLink } from './view-link.tsx'

interface Options {
  /** Sku of the listed product. */
  sku: string
  statuses: Dictionary
}

export function useKeycodeLicenseColumns({ sku, statuses }: Options): Column<License>[] {
  const { t } = useTranslation('devices')
  const number = new Intl.NumberFormat(useLocale())
  return [
    {
      key: 'product',
      label: t('columns.product'),
      place: 'title',
      width: '30%',
      render: (license) => <Product license={license} />,
    },
    {
      key: 'license',
      label: t('columns.license'),
      render: ({ licenseId }) => <CopyableCode code={licenseId} label={t('columns.license')} />,
    },
    {
      key: 'seats',
      label: t('columns.seats'),
      align: 'end',
      render: ({ totalLicenseNum }) => number.format(totalLicenseNum),
    },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'corner',
      render: ({ status }) => (
        <StatusDot tone={status === 'valid' ? 'good' : 'off'}>{statuses.nameOf(status) ?? status}</StatusDot>
      ),
    },
    { key: 'expires', label: t('columns.expires'), render: (license) => <End license={license} /> },
    {
      key: 'action',
      label: t('columns.action'),
      place: 'action',
      align: 'end',
      render: ({ licenseId }) => (
        <ViewLink
          label={t('manage.title')}
          name={t('manage.of', { id: licenseId })}
          changes={{ sku: sku || undefined, licenseId, page: undefined }}
        />
      ),
    },
  ]
}

function Product({ license: { productName, version, platform } }: { license: License }) {
  return (
    <>
      <div className={classes.name}>{productName}</div>
      <div className={classes.detail}>{joinWithDots([version, platform])}</div>
    </>
  )
}

function End({ license: { expirationDate } }: { license: License }) {
  const { t } = useTranslation('devices')
  return (
    <span className={classes.date}>
      {expirationDate === 0 ? t('perpetual') : <DateText date={dateOfSeconds(expirationDate)} isDay />}
    </span>
  )
}
