import type { AccessDuration, SupportAccess } from '@atrium/contract/security.ts'
import { dateOfSeconds, formatMoment } from '@atrium/ui/date-format.ts'
import { DateText } from '@atrium/ui/date-text.tsx'
import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { showSuccess } from '@atrium/ui/success.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './access-duration-dialog.module.css'
import { useSetSupportAccess } from './security.data.ts'
import { isRunning } from './security.rules.ts'

interface Props {
  access: SupportAccess
  support: string
  onClose(): void
}

/** Each choice with the end that the server would store, so that both agree (000 §4). */
export function AccessDurationDialog({ access, support, onClose }: Props) {
  const { t } = useTranslation('security')
  const { t: common } = useTranslation('common')
  const setAccess = useSetSupportAccess()
  const hasNone = !isRunning(access.grantLoginExpireTime)
  const end = formatMoment(useLocale(), dateOfSeconds(access.grantLoginExpireTime))
  const [chosen, setChosen] = useState<AccessDuration | undefined>(hasNone ? 'none' : undefined)

  const isCurrent = (duration: AccessDuration) => hasNone && duration === 'none'

  function save(event: FormEvent) {
    event.preventDefault()
    if (!chosen) return
    setAccess.mutate(chosen, {
      onSuccess: () => {
        showSuccess(t('access.saved'))
        onClose()
      },
    })
  }

  return (
    <DialogFrame title={t(hasNone ? 'access.set' : 'access.change')} onClose={onClose} busy={setAccess.isPending}>
      <form onSubmit={save}>
        {setAccess.error && <InlineFailure problem={setAccess.error} sentence={t('access.failed')} />}
        <p className={classes.lead}>
          {hasNone ? t('access.dialogLead', { support }) : t('access.nowEnds', { date: end })}
        </p>
        <fieldset className={classes.choices} disabled={setAccess.isPending}>
          <legend className={classes.legend}>{t('access.legend')}</legend>
          {access.durations.map(({ duration, expireTime }) => (
            <Choice
              key={duration}
              duration={duration}
              expireTime={expireTime}
              isChosen={duration === chosen}
              isCurrent={isCurrent(duration)}
              onChoose={() => setChosen(duration)}
            />
          ))}
        </fieldset>
        <DialogActions>
          <Button variant="default" onClick={onClose} disabled={setAccess.isPending}>
            {common('cancel')}
          </Button>
          <Button type="submit" loading={setAccess.isPending} disabled={!chosen || isCurrent(chosen)}>
            {t('access.save')}
          </Button>
        </DialogActions>
      </form>
    </DialogFrame>
  )
}

interface ChoiceProps {
  duration: AccessDuration
  expireTime: number
  isChosen: boolean
  isCurrent: boolean
  onChoose(): void
}

function Choice({ duration, expireTime, isChosen, isCurrent, onChoose }: ChoiceProps) {
  const { t } = useTranslation('security')

  return (
    <label className={classes.choice}>
      <input
        type="radio"
        name="duration"
        value={duration}
        checked={isChosen}
        onChange={onChoose}
        {...(duration === 'none' && { 'data-autofocus': true })}
      />
      <span className={classes.name}>
        {t(`access.durations.${duration}`)}
        {isCurrent && <span className={classes.current}>{t('access.current')}</span>}
      </span>
      <span className={classes.end}>
        {expireTime > 0 && <DateText date={dateOfSeconds(expireTime)} withTime />}
        {expireTime === 0 && t(isCurrent ? 'access.none' : 'access.endsAtOnce')}
      </span>
    </label>
  )
}
