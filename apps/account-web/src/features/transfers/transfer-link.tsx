import { Button } from '@mantine/core'
import { IconArrowsExchange } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { usePage } from '../../page/page-data.ts'
import { loadTexts } from '../../page/texts.ts'
import { eligibilityQuery } from './transfers.data.ts'
import { useTransferDialog } from './use-transfer-dialog.ts'

const { Dialog: TransferDialog, preload } = loadableDialog(async () => {
  const code = import('./transfer-dialog.tsx').then((module) => module.TransferDialog)
  const [Dialog] = await Promise.all([code, loadTexts('transfers')])
  return Dialog
})

/** Shown only if the member can transfer (001 §2); a check that fails says nothing. */
export function TransferLink() {
  const { t } = useTranslation('subscriptions')
  const { support } = usePage()
  const { data } = useQuery({ ...eligibilityQuery, enabled: !support })
  const { isOpen, open, close } = useTransferDialog()

  return (
    <>
      {data?.canTransfer === 1 && (
        <Button
          variant="default"
          leftSection={<IconArrowsExchange size={16} stroke={1.6} aria-hidden />}
          onClick={open}
          onMouseEnter={preload}
          onFocus={preload}
        >
          {t('transfer')}
        </Button>
      )}
      {isOpen && <TransferDialog onClose={close} />}
    </>
  )
}
