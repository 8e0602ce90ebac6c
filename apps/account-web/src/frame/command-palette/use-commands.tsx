import { locales } from '@atrium/contract/locale.ts'
import { useMantineColorScheme } from '@mantine/core'
import {
  IconFileInvoice,
  IconLanguage,
  IconLogout,
  IconPlus,
  IconReceipt,
  IconShoppingCart,
  IconSwitchHorizontal,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell, shopUrl } from '../../page/shop.rules.ts'
import { offeredYears } from '../../page/use-range-options.ts'
import { colorSchemes } from '../color-scheme-menu.tsx'
import { openInLanguage } from '../open-in-language.ts'
import { useTabs } from '../use-tabs.ts'
import type { Command } from './commands.rules.ts'

const icon = { size: 18, stroke: 1.6, 'aria-hidden': true } as const

/** What the page itself can do, without a request. */
export function useCommands(onSignOut: () => void): Command[] {
  const { t } = useTranslation(['search', 'frame', 'common'])
  const { locale: current, basePath } = usePage()
  const tabs = useTabs()
  const { setColorScheme } = useMantineColorScheme()
  const navigate = useNavigate()
  const actions = useActions(onSignOut)

  return [
    ...tabs.map(({ name, Icon }) => ({
      key: `tab ${name}`,
      group: 'tabs' as const,
      label: t(`frame:tabs.${name}`),
      alias: t(`search:alias.${name}`),
      icon: <Icon {...icon} />,
      run: () => void navigate({ to: '/account', search: { tab: name } }),
    })),
    ...actions,
    ...locales
      .filter(({ code }) => code !== current.code)
      .map((locale) => ({
        key: `language ${locale.code}`,
        group: 'language' as const,
        label: locale.name,
        lang: locale.code,
        alias: t('common:language'),
        icon: <IconLanguage {...icon} />,
        run: () => openInLanguage(locale, basePath),
      })),
    ...colorSchemes.map(({ scheme, Icon }) => ({
      key: `scheme ${scheme}`,
      group: 'scheme' as const,
      label: t(`common:scheme.${scheme}`),
      alias: t('common:scheme.name'),
      icon: <Icon {...icon} />,
      run: () => setColorScheme(scheme),
    })),
    // What was paid in a year, and its invoices, without a way through the filters.
    ...offeredYears().map((year) => ({
      key: `orders ${year}`,
      group: 'orders' as const,
      label: t('search:ordersOf.year', { year }),
      detail: t('search:ordersOf.what'),
      alias: `${t('search:ordersOf.what')} ${t('search:alias.my-orders')}`,
      icon: <IconReceipt {...icon} />,
      run: () => void navigate({ to: '/account', search: { tab: 'my-orders', range: String(year) } }),
    })),
  ]
}

/** What a customer comes to do. A support agent does nothing in an account, and in Russian nothing is sold. */
function useActions(onSignOut: () => void): Command[] {
  const { t } = useTranslation(['search', 'common'])
  const { locale, settings, support } = usePage()
  const navigate = useNavigate()
  if (support) return []

  const open = (search: Record<string, string>) => () => void navigate({ to: '/account', search })
  const sells = maySell(locale)
  const wanted = [
    sells && {
      key: 'buy',
      icon: <IconShoppingCart {...icon} />,
      run: () => window.location.assign(shopUrl({ siteUrl: settings.siteUrl, locale })),
    },
    sells && { key: 'quote', icon: <IconFileInvoice {...icon} />, run: open({ tab: 'my-orders', quote: 'new' }) },
    settings.cards && {
      key: 'addCard',
      icon: <IconPlus {...icon} />,
      run: open({ tab: 'payment-option-management', dialog: 'add' }),
    },
    {
      key: 'transfer',
      icon: <IconSwitchHorizontal {...icon} />,
      run: open({ tab: 'my-subscriptions', dialog: 'transfer' }),
    },
  ] as const
  return [
    ...wanted.flatMap((action) =>
      action ? [{ ...action, group: 'actions' as const, label: t(`search:actions.${action.key}`) }] : [],
    ),
    {
      key: 'sign-out',
      group: 'actions' as const,
      label: t('common:person.signOut'),
      icon: <IconLogout {...icon} />,
      run: onSignOut,
    },
  ]
}
