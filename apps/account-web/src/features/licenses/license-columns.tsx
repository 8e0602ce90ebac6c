import type { License } from '@atrium/contract/licenses.ts'
import { dateOfSeconds } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import type { Column } from '@atrium/ui/list-column.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'
import { CopyableCode } from '../../page/copyable-code.tsx'
import type { Dictionary } from '../../page/dictionaries.data.ts'
import { LicenseActions } from './license-actions.tsx'
import classes from './license-columns.module.css'
import { endOf, languageName } from './licenses.rules.ts'

interface Options {
  /** Sku of the listed product. */
  sku: string
  statuses: Dictionary
  onGetKey(license: License): void
  /** On hover or focus, before the key dialog opens. */
  onPreloadKey(): void
}

export function useLicenseColumns({ sku, statuses, onGetKey, onPreloadKey }: Options): Column<License>[] {
  const { t } = useTranslation('licenses')
  return [
    {
      key: 'license',
      label: t('columns.license'),
      place: 'title',
      width: '36%',
      render: (license) => <Identity license={license} />,
    },
    { key: 'seats', label: t('columns.seats'), align: 'end', render: (license) => <Seats license={license} /> },
    {
      key: 'status',
      label: t('columns.status'),
      place: 'corner',
      render: (license) => <Status license={license} statuses={statuses} />,
    },
    { key: 'expires', label: t('columns.expires'), render: (license) => <End license={license} /> },
    {
      key: 'created',
      label: t('columns.created'),
      render: ({ createDate }) => (
        <span className={classes.date}>
          <DateText date={new Date(createDate)} isDay />
        </span>
      ),
    },
    {
      key: 'actions',
      label: t('columns.actions'),
      place: 'action',
      align: 'end',
      render: (license) => (
        <LicenseActions sku={sku} license={license} onGetKey={() => onGetKey(license)} onPreloadKey={onPreloadKey} />
      ),
    },
  ]
}

interface CellProps {
  license: License
}

function Identity({ license }: CellProps) {
  const { t } = useTranslation('licenses')
  const locale = useLocale()
  const { licenseId, productName, relationship, version, edition, platform, language } = license
  const details = [
    t(`relationship.${relationship}`),
    version && t('details.version', { version }),
    edition,
    platform,
    languageName(language, locale),
  ].filter((detail) => detail !== '')

  return (
    <>
      <div className={classes.name}>{productName}</div>
      <div className={classes.id}>
        <CopyableCode code={licenseId} label={t('columns.id')} />
      </div>
      <div className={classes.detail}>{joinWithDots(details)}</div>
    </>
  )
}

function Seats({ license: { subUserInfo, totalLicenseNum } }: CellProps) {
  const { t } = useTranslation('licenses')
  const number = new Intl.NumberFormat(useLocale())
  if (!subUserInfo) return <span className="figures">{number.format(totalLicenseNum)}</span>

  const { joinCount, userCount } = subUserInfo
  return (
    <div className={classes.seats}>
      <span className="figures">
        {t('seatsTaken', { taken: number.format(joinCount), total: number.format(userCount) })}
      </span>
      <SeatBar taken={joinCount} total={userCount} />
    </div>
  )
}

function Status({ license: { status }, statuses }: CellProps & Pick<Options, 'statuses'>) {
  return <StatusDot tone={status === 'valid' ? 'good' : 'off'}>{statuses.nameOf(status) ?? status}</StatusDot>
}

function End({ license }: CellProps) {
  const { t } = useTranslation('licenses')
  const end = endOf(license)
  return (
    <span className={classes.date}>
      {end === 'date' ? <DateText date={dateOfSeconds(license.expirationDate)} isDay /> : t(`end.${end}`)}
    </span>
  )
}
