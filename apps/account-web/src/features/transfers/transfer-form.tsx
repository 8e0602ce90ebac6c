import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { FormGrid, wholeRow } from '@atrium/ui/form-grid.tsx'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { MovingList, StayingList } from './moving-list.tsx'
import type { Eligibility, useTransfer } from './transfers.data.ts'
import classes from './transfers.module.css'
import { useTransferForm } from './use-transfer-form.ts'

interface Props {
  known: Eligibility
  transfer: ReturnType<typeof useTransfer>
  onClose(): void
}

/** What moves and what stays, who receives it, and both codes. Input stays after any failure. */
export function TransferForm({ known, transfer, onClose }: Props) {
  const { t } = useTranslation('transfers')
  const { form, submit, refusal, isBusy, ...codes } = useTransferForm(transfer)
  const required = { withAsterisk: true, 'aria-required': true, autoComplete: 'off', spellCheck: false } as const
  const sent = [t('sent', { from: known.currentAccount, to: codes.sentTo }), t('recipientHint')]

  return (
    <form onSubmit={submit} noValidate>
      <p className={classes.lead}>{t('lead')}</p>
      {refusal !== undefined && <InlineFailure problem={refusal} />}
      <div className={classes.lists}>
        <MovingList title={t('moves')} moving={known.moves} />
        <StayingList title={t('stays')} staying={known.stays} />
      </div>
      <p className={classes.charges}>{t('charges')}</p>
      <div className={classes.rule}>
        <Notice tone="info">{t('rule')}</Notice>
      </div>
      <FormGrid>
        <TextInput label={t('currentAccount')} value={known.currentAccount} readOnly className={wholeRow} />
        <div className={`${wholeRow} ${classes.recipient}`}>
          <TextInput
            label={t('recipientAccount')}
            description={t('recipientNeeds')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="email"
            inputMode="email"
            {...required}
            {...form.getInputProps('email')}
          />
          <SendButton {...codes} />
          <p className={classes.sent} role="status">
            {codes.sentTo !== '' && sent.join(' ')}
          </p>
        </div>
        <TextInput
          label={t('currentCode')}
          inputMode="numeric"
          className={wholeRow}
          {...required}
          {...form.getInputProps('verificationCodeForCurrent')}
        />
        <TextInput
          label={t('recipientCode')}
          inputMode="numeric"
          className={wholeRow}
          {...required}
          {...form.getInputProps('verificationCodeForRecipient')}
        />
      </FormGrid>
      <FormActions label={t('submit')} isBusy={isBusy} onClose={onClose} />
    </form>
  )
}

type Codes = Pick<ReturnType<typeof useTransferForm>, 'sendCodes' | 'isSending' | 'secondsLeft' | 'sentTo'>

/** One button sends both codes, and again after half a minute (001 §4). */
function SendButton({ sendCodes, isSending, secondsLeft, sentTo }: Codes) {
  const { t } = useTranslation('transfers')
  const label = sentTo === '' ? t('send') : t('resend')
  return (
    <Button
      variant="default"
      className={classes.send}
      onClick={sendCodes}
      loading={isSending}
      disabled={secondsLeft > 0}
    >
      {secondsLeft > 0 ? t('resendIn', { seconds: secondsLeft }) : label}
    </Button>
  )
}
