import type { SubscriptionUser, UserRemoval } from '@atrium/contract/team.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { OtherTeams } from './other-teams.tsx'
import { RemovedUser } from './removed-user.tsx'
import { type Team, useChangeUser, useUserRemoval } from './team.data.ts'
import classes from './team.module.css'

interface Props {
  team: Team
  user: SubscriptionUser
  onClose(): void
}

/** Says exactly what a removal does, before it can be confirmed: the seat, the devices by name, and the licenses and subscriptions that it leaves as they are. */
export function RemoveUserDialog({ team, user, onClose }: Props) {
  const { t } = useTranslation('team')
  const removal = useUserRemoval(team, user)
  const remove = useChangeUser(team)
  const hasOthers = removal.data !== undefined && removal.data.otherTeams.length > 0

  function confirm() {
    remove.mutate(
      { user, action: 'remove' },
      {
        onSuccess() {
          if (hasOthers) return
          showSuccess(t('done.removed'))
          onClose()
        },
      },
    )
  }

  if (remove.isSuccess && hasOthers) {
    return <RemovedUser removal={removal.data} product={team.appName} onClose={onClose} />
  }
  return (
    <ConfirmDialog
      title={t('confirm.remove.title', { email: user.email })}
      confirmLabel={t('confirm.remove.action')}
      isDestructive
      isReady={removal.data !== undefined}
      busy={remove.isPending}
      problem={remove.error ?? removal.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {removal.data && <Effects removal={removal.data} product={team.appName} />}
      {removal.isPending && <EffectsSkeleton />}
    </ConfirmDialog>
  )
}

function Effects({ removal, product }: { removal: UserRemoval; product: string }) {
  const { t } = useTranslation('team')
  const { freesSeat, devices, otherTeams } = removal
  return (
    <>
      <p className={classes.lead}>
        {t(freesSeat ? 'confirm.remove.effect' : 'confirm.remove.effectWithoutLicense', { product })}
      </p>
      {freesSeat === 1 && devices.length === 0 && <p>{t('confirm.remove.noDevices')}</p>}
      {devices.length > 0 && <p>{t('confirm.remove.devices', { count: devices.length })}</p>}
      {devices.length > 0 && (
        <ul className={classes.report}>
          {devices.map(({ id, hostName, appName }) => (
            <li key={id}>
              <strong>{hostName}</strong>
              <span>{appName}</span>
            </li>
          ))}
        </ul>
      )}
      {otherTeams.length > 0 && (
        <>
          <p className={classes.after}>{t('confirm.remove.others', { count: otherTeams.length })}</p>
          <OtherTeams teams={otherTeams} email={removal.email} />
        </>
      )}
      {removal.licenseTotal > 0 && <Licenses removal={removal} />}
    </>
  )
}

/** The caller's own licenses that name the person. They open beside this page, so that the question stays. */
function Licenses({ removal: { licenses, licenseTotal } }: { removal: UserRemoval }) {
  const { t } = useTranslation('team')
  const number = new Intl.NumberFormat(useLocale())
  return (
    <>
      <p className={classes.after}>{t('confirm.remove.licenses', { count: licenseTotal })}</p>
      <ul className={classes.report}>
        {licenses.map(({ licenseId, productName, sku }) => (
          <li key={licenseId}>
            <strong>{productName}</strong>
            <Link to="/account" search={{ tab: 'license-management', sku, keyWord: licenseId }} target="_blank">
              <span className="code">{licenseId}</span>
            </Link>
          </li>
        ))}
        {licenseTotal > licenses.length && <li>+{number.format(licenseTotal - licenses.length)}</li>}
      </ul>
    </>
  )
}

function EffectsSkeleton() {
  return (
    <div aria-hidden>
      <Skeleton width="100%" />
      <Skeleton width="70%" />
    </div>
  )
}
