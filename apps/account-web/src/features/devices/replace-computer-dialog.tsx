import type { ComputerDevice } from '@atrium/contract/devices.ts'
import { ConfirmDialog } from '@atrium/ui/confirm-dialog.tsx'
import { Skeleton } from '@atrium/ui/skeleton.tsx'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './computer.module.css'
import { ComputerDevices, NotReleased } from './computer-devices.tsx'
import { useComputer, useReleaseComputer } from './computers.data.ts'
import { ReplacedComputer } from './replaced-computer.tsx'

interface Props {
  /** Id of any device on the computer. */
  deviceId: string
  /** Name of the computer. */
  name: string
  onClose(): void
}

/** Lists everything on a computer, releases it after one confirmation, and says how the next computer is activated. */
export function ReplaceComputerDialog({ deviceId, name, onClose }: Props) {
  const { t } = useTranslation('devices')
  const computer = useComputer(deviceId)
  const release = useReleaseComputer(deviceId)
  const [outcome, setOutcome] = useState<readonly ComputerDevice[]>()
  const devices = computer.data?.devices ?? []
  const releasable = devices.filter(({ refusal }) => refusal === null)

  if (outcome) return <ReplacedComputer name={name} devices={outcome} onClose={onClose} />
  return (
    <ConfirmDialog
      title={t('computer.title', { name })}
      confirmLabel={t('computer.confirm')}
      isDestructive
      isReady={releasable.length > 0}
      busy={release.isPending}
      problem={release.error ?? computer.error}
      onConfirm={() =>
        release.mutate(
          devices.map(({ id }) => id),
          { onSuccess: (reply) => setOutcome(reply.devices) },
        )
      }
      onClose={onClose}
    >
      {computer.data && (
        <div className={classes.computer}>
          <p>{t(releasable.length > 0 ? 'computer.effect' : 'computer.nothing', { name, count: releasable.length })}</p>
          <ComputerDevices devices={releasable} />
          <NotReleased devices={devices} />
        </div>
      )}
      {computer.isPending && <Skeleton width="100%" height={72} />}
    </ConfirmDialog>
  )
}
