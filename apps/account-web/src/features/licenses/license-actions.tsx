import type { License, LicenseAction } from '@atrium/contract/licenses.ts'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Action } from '../../page/action-root.tsx'
import { ObjectActions } from '../../page/object-actions.tsx'
import { usePage } from '../../page/page-data.ts'
import { additionalLicensesUrl, conversionUrl } from '../../page/shop.rules.ts'
import { useQuoteDialog } from '../../page/use-quote-dialog.ts'
import { isRenewable, offeredActions } from './licenses.rules.ts'

interface Props {
  /** Sku of the product under which the license is listed. */
  sku: string
  license: License
  onGetKey(): void
  onPreloadKey(): void
}

/** The actions of a license (000 §6); downloads are in the menu. */
export function LicenseActions(props: Props) {
  const { t } = useTranslation('licenses')
  const [first, ...others] = useActions(props)
  const downloads = useDownloads(props.license)

  return (
    <ObjectActions
      first={first}
      others={[...others, ...downloads]}
      moreLabel={t('actions.more')}
      nameOf={(action) => t('actions.of', { action, id: props.license.licenseId })}
    />
  )
}

function useActions({ sku, license, onGetKey, onPreloadKey }: Props): Action[] {
  const { t } = useTranslation('licenses')
  const { settings, locale } = usePage()
  const address = useSearch({ strict: false })
  const quoteDialog = useQuoteDialog()
  const shop = { siteUrl: settings.siteUrl, locale }
  const { licenseId, subId, acConvertInfo } = license

  const targets: Readonly<Record<LicenseAction, Omit<Action, 'key' | 'label'>>> = {
    get_key: { onPress: onGetKey, onPreload: onPreloadKey },
    manage_user: { search: { ...address, subId: subId ?? undefined, page: undefined } },
    manage_devices: { search: devicesOf(license, sku) },
    admin_console: { href: settings.adminConsoleUrl, opensNew: true },
    purchase: { href: conversionUrl(shop, sku, acConvertInfo?.acLiceId ?? '') },
    purchase_additional: { href: additionalLicensesUrl(shop, sku) },
  }
  const about = { productCode: license.productCode, seats: license.totalLicenseNum, number: licenseId }
  const quote = {
    key: 'quote',
    label: t('actions.request_quote'),
    onPress: () => quoteDialog.open('renewal', about),
  }
  return [
    ...(isRenewable(license, locale) ? [quote] : []),
    ...offeredActions(license, locale).map((key) => ({ key, label: t(`actions.${key}`), ...targets[key] })),
  ]
}

function useDownloads({ downloadUrl }: License): Action[] {
  const { t } = useTranslation('licenses')
  return Object.entries(downloadUrl).map(([platform, href]) => ({
    key: `download ${platform}`,
    label: t('actions.download', { platform }),
    href,
    opensNew: true,
    isDownload: true,
  }))
}

/** Where its devices are listed: below the license for keys, in the common list for e-mail. */
function devicesOf({ licenseId, terms }: License, sku: string) {
  const tab = 'device-management'
  return terms.activationMethod === 'email' ? { tab } : { tab, method: 'keycode', sku, licenseId }
}
