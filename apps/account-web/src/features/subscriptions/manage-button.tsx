import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { showFailure } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { IconArrowUpRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { openPopup } from '../../api/popup.ts'
import { AgentButton } from '../../page/agent-button.tsx'
import { usePage } from '../../page/page-data.ts'
import { useLeadToPlace } from './subscriptions.data.ts'
import classes from './subscriptions.module.css'

const outbound = <IconArrowUpRight size={15} stroke={1.6} aria-hidden />

interface Props {
  subscription: Subscription
  /** What it is called among the others of the list. */
  name: string
}

/** Manage, in its four forms (001 §2): users here, the vendor's address, a portal in a new tab, storage in a new window. */
export function ManageButton({ subscription, name }: Props) {
  const { t } = useTranslation('subscriptions')
  const { support } = usePage()
  const { manageBy, manageUrl, stripeSubscriptionId: id } = subscription
  const label = t('manage.label', { product: name })
  const looks = { variant: 'default', size: 'xs', className: classes.manage ?? '', 'aria-label': label } as const
  if (manageBy === 'none') return null
  if (support && manageBy !== 'team') return <AgentButton {...looks}>{t('manage.action')}</AgentButton>
  if (manageBy === 'portal' || manageBy === 'storage') return <PlaceButton subscription={subscription} label={label} />

  return manageBy === 'address' ? (
    <Button {...looks} component="a" href={manageUrl} target="_blank" rel="noopener" rightSection={outbound}>
      {t('manage.action')}
    </Button>
  ) : (
    <Button
      {...looks}
      renderRoot={(props) => <Link {...props} to="/account" search={{ tab: 'license-management', subId: id }} />}
    >
      {t('manage.action')}
    </Button>
  )
}

/** The window is opened in the click, before the address is known: otherwise the browser blocks it. */
function PlaceButton({ subscription, label }: { subscription: Subscription; label: string }) {
  const { t } = useTranslation('subscriptions')
  const problemText = useProblemText()
  const lead = useLeadToPlace()

  function open() {
    const blank = 'about:blank'
    const opened = subscription.manageBy === 'portal' ? window.open(blank, '_blank') : openPopup(blank, '_blank')
    if (!opened) return showFailure(t('manage.blocked'))
    // The other program must not reach this page.
    opened.opener = null
    const onError = (problem: Error) => showFailure(problemText(problem))
    lead.mutate({ ...subscription, window: opened }, { onError })
  }

  return (
    <Button
      variant="default"
      size="xs"
      className={classes.manage ?? ''}
      aria-label={label}
      rightSection={outbound}
      loading={lead.isPending}
      onClick={open}
    >
      {t('manage.action')}
    </Button>
  )
}
