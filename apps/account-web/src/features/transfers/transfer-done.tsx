import { CloseAction } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useTranslation } from 'react-i18next'
import { MovingList, StayingList } from './moving-list.tsx'
import type { Transferred } from './transfers.data.ts'
import classes from './transfers.module.css'

interface Props {
  transferred: Transferred
  onClose(): void
}

/** What has moved, and what is left. */
export function TransferDone({ transferred: { email, moved, stays }, onClose }: Props) {
  const { t } = useTranslation('transfers')

  return (
    <DialogFrame title={t('done.title')} onClose={onClose} width={600}>
      <p className={classes.lead} role="status">
        {t('done.lead', { to: email })}
      </p>
      <div className={classes.lists}>
        <MovingList title={t('done.moved')} moving={moved} />
        <StayingList title={t('done.left')} staying={stays} />
      </div>
      <CloseAction onClose={onClose} />
    </DialogFrame>
  )
}
