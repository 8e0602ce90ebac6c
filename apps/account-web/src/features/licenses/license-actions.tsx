import type { License, LicenseAction } from '@atrium/contract/licenses.ts'
import { ActionIcon, Button } from '@mantine/core'
import { IconArrowUpRight, IconDots } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { usePage } from '../../page/page-data.ts'
import { additionalLicensesUrl, conversionUrl } from '../../page/shop.rules.ts'
import { useMenuButton } from '../../page/use-menu-button.ts'
import { type Action, ActionRoot } from './action-root.tsx'
import classes from './license-actions.module.css'
import { offeredActions } from './licenses.rules.ts'

const { Dialog: ActionDropdown, preload } = loadableDialog(
  async () => (await import('./action-dropdown.tsx')).ActionDropdown,
)

interface Props {
  /** Sku of the product under which the license is listed. */
  sku: string
  license: License
  onGetKey(): void
  onPreloadKey(): void
}

/** The actions of a license (000 §6): the most likely as a button, the others and downloads in a menu. */
export function LicenseActions(props: Props) {
  const { t } = useTranslation('licenses')
  const [first, ...others] = useActions(props)
  const inMenu = [...others, ...useDownloads(props.license)]
  if (!first && inMenu.length === 0) return null

  const named = (label: string) => t('actions.of', { action: label, id: props.license.licenseId })

  return (
    <div className={classes.actions}>
      {first && (
        <Button
          variant="default"
          size="xs"
          className={classes.first ?? ''}
          aria-label={named(first.label)}
          rightSection={first.href && <IconArrowUpRight size={15} stroke={1.6} aria-hidden />}
          onMouseEnter={first.onPreload}
          onFocus={first.onPreload}
          renderRoot={(root) => <ActionRoot action={first} {...root} />}
        >
          {first.label}
        </Button>
      )}
      {inMenu.length > 0 && <ActionMenu label={named(t('actions.more'))} actions={inMenu} />}
    </div>
  )
}

function ActionMenu({ label, actions }: { label: string; actions: readonly Action[] }) {
  const { button, menu } = useMenuButton(preload)

  return (
    <>
      <ActionIcon {...button} variant="subtle" color="gray" className={classes.more ?? ''} aria-label={label}>
        <IconDots size={18} stroke={1.8} aria-hidden />
      </ActionIcon>
      {menu && <ActionDropdown {...menu} actions={actions} />}
    </>
  )
}

function useActions({ sku, license, onGetKey, onPreloadKey }: Props): Action[] {
  const { t } = useTranslation('licenses')
  const { settings, locale } = usePage()
  const address = useSearch({ strict: false })
  const shop = { siteUrl: settings.siteUrl, locale }
  const { licenseId, subId } = license

  const targets: Readonly<Record<LicenseAction, Omit<Action, 'key' | 'label'>>> = {
    get_key: { onClick: onGetKey, onPreload: onPreloadKey },
    manage_user: { search: { ...address, subId: subId ?? undefined, page: undefined } },
    manage_devices: { search: devicesOf(license, sku) },
    admin_console: { href: settings.adminConsoleUrl, opensNew: true },
    purchase: { href: conversionUrl(shop, sku, licenseId) },
    purchase_additional: { href: additionalLicensesUrl(shop, sku) },
  }
  return offeredActions(license, locale).map((key) => ({ key, label: t(`actions.${key}`), ...targets[key] }))
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
