import type { UserRemoval } from '@atrium/contract/team.ts'
import { CloseAction } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useTranslation } from 'react-i18next'
import { OtherTeams } from './other-teams.tsx'

interface Props {
  removal: UserRemoval
  product: string
  onClose(): void
}

/** Someone was removed who is a user of other subscriptions too: the way to each, so that none is forgotten. */
export function RemovedUser({ removal: { email, otherTeams }, product, onClose }: Props) {
  const { t } = useTranslation('team')

  return (
    <DialogFrame title={t('removed.title', { email, product })} onClose={onClose}>
      <div role="status">
        <p>{t('removed.others')}</p>
        <OtherTeams teams={otherTeams} email={email} onOpen={onClose} />
      </div>
      <CloseAction onClose={onClose} />
    </DialogFrame>
  )
}
