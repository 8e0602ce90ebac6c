import { type AccessDuration, type SupportAccess, setSupportAccess } from '@atrium/contract/security.ts'
import { Choice, ChoiceList } from '@atrium/ui/choice-list.tsx'
import { dateOfSeconds, formatMoment } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import { FormActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { useTranslation } from 'react-i18next'
import classes from './access-duration-dialog.module.css'
import { useSetSupportAccess } from './security.data.ts'
import { isRunning } from './security.rules.ts'

interface Props {
  access: SupportAccess
  support: string
  onClose(): void
}

/** The choices with their ends from the server, so that shown and stored ends agree (000 §4). */
export function AccessDurationDialog({ access, support, onClose }: Props) {
  const { t } = useTranslation('security')
  const setAccess = useSetSupportAccess()
  const hasNone = !isRunning(access.grantLoginExpireTime)
  const end = formatMoment(useLocale(), dateOfSeconds(access.grantLoginExpireTime))
  const initialValues: { grantLoginExpireTime: AccessDuration | null } = {
    grantLoginExpireTime: hasNone ? 'none' : null,
  }
  const { form, submit, refusal, isBusy } = useContractForm({
    initialValues,
    schema: setSupportAccess.body,
    send: setAccess.mutateAsync,
    onSent() {
      showSuccess(t('access.saved'))
      onClose()
    },
  })
  const chosen = form.values.grantLoginExpireTime

  const isCurrent = (duration: AccessDuration) => hasNone && duration === 'none'

  return (
    <DialogFrame title={t(hasNone ? 'access.set' : 'access.change')} onClose={onClose} busy={isBusy}>
      <form onSubmit={submit}>
        {refusal !== undefined && <InlineFailure problem={refusal} sentence={t('access.failed')} />}
        <p className={classes.lead}>
          {hasNone ? t('access.dialogLead', { support }) : t('access.nowEnds', { date: end })}
        </p>
        <ChoiceList legend={t('access.legend')} disabled={isBusy}>
          {access.durations.map(({ duration, expireTime }) => (
            <Duration
              key={duration}
              duration={duration}
              expireTime={expireTime}
              isChosen={duration === chosen}
              isCurrent={isCurrent(duration)}
              onChoose={() => form.setFieldValue('grantLoginExpireTime', duration)}
            />
          ))}
        </ChoiceList>
        <FormActions
          label={t('access.save')}
          isBusy={isBusy}
          isDisabled={!chosen || isCurrent(chosen)}
          onClose={onClose}
        />
      </form>
    </DialogFrame>
  )
}

interface DurationProps {
  duration: AccessDuration
  expireTime: number
  isChosen: boolean
  isCurrent: boolean
  onChoose(): void
}

function Duration({ duration, expireTime, isChosen, isCurrent, onChoose }: DurationProps) {
  const { t } = useTranslation('security')
  const end =
    expireTime > 0 ? (
      <DateText date={dateOfSeconds(expireTime)} withTime />
    ) : (
      t(isCurrent ? 'access.none' : 'access.endsAtOnce')
    )

  return (
    <Choice
      name="duration"
      value={duration}
      isChosen={isChosen}
      isFirst={duration === 'none'}
      onChoose={onChoose}
      note={end}
    >
      {t(`access.durations.${duration}`)}
      {isCurrent && <span className={classes.current}>{t('access.current')}</span>}
    </Choice>
  )
}
