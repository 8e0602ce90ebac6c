import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import type { SubscribeDetail } from './team.data.ts'
import { obstacleToAdding } from './team.rules.ts'

const { Dialog: AddUsersDialog, preload } = loadableDialog(
  async () => (await import('./add-users-dialog.tsx')).AddUsersDialog,
)

interface Props {
  subId: string
  detail: SubscribeDetail
}

/** Invites people. Where there are no Setup Admins, a seat has to be free (001 §4). */
export function AddUsersButton({ subId, detail }: Props) {
  const { t } = useTranslation('team')
  const [isOpen, setOpen] = useState(false)
  const obstacle = obstacleToAdding(detail)
  const isDisabled = detail.canAdd === 0 || (obstacle !== undefined && detail.hasSetupAdmins === 0)

  return (
    <>
      <Button
        leftSection={<IconUserPlus size={18} stroke={1.7} aria-hidden />}
        disabled={isDisabled}
        onMouseEnter={preload}
        onFocus={preload}
        onClick={() => setOpen(true)}
      >
        {t('add.open')}
      </Button>
      {isOpen && <AddUsersDialog team={{ sid: subId, ...detail }} detail={detail} onClose={() => setOpen(false)} />}
    </>
  )
}
