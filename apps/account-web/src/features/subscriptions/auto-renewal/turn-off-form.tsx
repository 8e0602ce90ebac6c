import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import '@mantine/core/styles/Checkbox.css'
import '@mantine/core/styles/InlineInput.css'
import { cancelReasons, type Ending, maxCancelComment, subscriptionCancel } from '@atrium/contract/auto-renewal.ts'
import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { showSuccess } from '@atrium/ui/success.ts'
import { useContractForm } from '@atrium/ui/use-contract-form.ts'
import { Button, Checkbox, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../../page/dictionaries.data.ts'
import { useDroppedPlanText } from '../../../page/use-dropped-plan-text.ts'
import { useOpenChangeText } from '../use-open-change-text.ts'
import type { useTurnOff } from './auto-renewal.data.ts'
import classes from './turn-off.module.css'

interface Props {
  ending: Ending & { list: readonly Ending[]; openChange?: OpenChange | undefined; planned: string }
  turnOff: ReturnType<typeof useTurnOff>
  onClose(): void
}

const effects = {
  over: 'cancel.effect',
  never: 'cancel.effectTrial',
  monthly: 'cancel.effectCommitted',
  before_start: 'cancel.effectBeforeStart',
  unconfirmed: 'cancel.effectUnconfirmed',
} as const

/** How it is confirmed; what ends now has no day to name. */
const done = {
  ...{ over: 'cancel.done', never: 'cancel.done', monthly: 'cancel.done' },
  before_start: 'cancel.doneBeforeStart',
  unconfirmed: 'cancel.doneUnconfirmed',
} as const

/** What stops, and why; the reasons stay after a failure. */
export function TurnOffForm({ ending, turnOff, onClose }: Props) {
  const { t } = useTranslation('auto-renewal')
  const { stripeSubscriptionId: sid, appName: productName, list, openChange, planned } = ending
  const isOver = ending.charges === 'unconfirmed'
  const endsNow = isOver || ending.charges === 'before_start'
  const day = useDay()
  const names = useReasonNames()
  const { form, submit, refusal, isBusy } = useContractForm({
    initialValues: { reasons: [] as string[], comment: '' },
    schema: subscriptionCancel.body,
    toRequest: ({ reasons, comment }) => ({
      ...{ sid, productName, planned, comment, reasons: reasons.map(Number) },
      cancelSubIds: list.map(({ stripeSubscriptionId: id }) => id).join(','),
    }),
    send: (body) => turnOff.mutateAsync(body),
    onSent: ({ nextPlanPeriodStart }) => {
      onClose()
      showSuccess(t(done[ending.charges], { product: productName, date: day(nextPlanPeriodStart) }), 8000)
    },
  })

  return (
    <form onSubmit={submit} noValidate>
      {refusal !== undefined && <InlineFailure problem={refusal} />}
      <p className={classes.effect}>{t(effects[ending.charges], { date: day(ending.endsAt) })}</p>
      {!endsNow && <Period end={day(ending.endsAt)} />}
      {!isOver && <Stops ending={ending} />}
      {list.length > 0 && <AddOns list={list} />}
      <DroppedPlans endings={[ending, ...list]} />
      {openChange && <DroppedChange openChange={openChange} />}
      <Checkbox.Group
        {...form.getInputProps('reasons')}
        label={t('cancel.reasons')}
        classNames={{ label: classes.question ?? '' }}
        withAsterisk
      >
        <div className={classes.reasons}>
          {cancelReasons.map((code, index) => (
            <Checkbox
              key={code}
              value={String(code)}
              label={names(code)}
              {...(index === 0 && { 'data-path': 'reasons' })}
            />
          ))}
        </div>
      </Checkbox.Group>
      <Textarea
        {...form.getInputProps('comment')}
        label={t('cancel.comment')}
        maxLength={maxCancelComment}
        rows={2}
        mt="md"
      />
      <DialogActions>
        <Button variant="default" onClick={onClose} disabled={isBusy} data-autofocus>
          {t('cancel.keep')}
        </Button>
        <Button type="submit" color="bad" loading={isBusy}>
          {t('cancel.confirm')}
        </Button>
      </DialogActions>
    </form>
  )
}

/** Now, and the end: what is paid can be used until then. */
function Period({ end }: { end: string }) {
  const { t } = useTranslation('auto-renewal')
  return (
    <div className={classes.period}>
      <div className={classes.line} aria-hidden />
      <span>{t('cancel.today')}</span>
      <span>
        {t('cancel.end')}
        <strong>{end}</strong>
      </span>
    </div>
  )
}

function Stops({ ending: { joinCount, deviceCount, esignConnectors, storageCapacity } }: { ending: Ending }) {
  const { t } = useTranslation('auto-renewal')
  const stops = [
    ...(joinCount > 1 ? [t('cancel.people', { count: joinCount })] : []),
    ...(deviceCount > 0 ? [t('cancel.devices', { count: deviceCount })] : []),
    ...(esignConnectors > 0 ? [t('cancel.connectors', { count: esignConnectors })] : []),
    ...(storageCapacity > 0 ? [t('cancel.storage', { count: storageCapacity })] : []),
  ]
  if (stops.length === 0) return null

  return (
    <section className={classes.stops}>
      <h3>{t('cancel.stops')}</h3>
      <ul>
        {stops.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </section>
  )
}

function AddOns({ list }: { list: readonly Ending[] }) {
  const { t } = useTranslation('auto-renewal')
  const day = useDay()
  return (
    <div className={classes.addOns}>
      <Notice tone="warning" title={t('cancel.addOns')}>
        <ul>
          {list.map(({ stripeSubscriptionId: id, appName: product, endsAt }) => (
            <li key={id}>{t('cancel.addOn', { product, date: day(endsAt) })}</li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

/** What is planned for it and its add-ons. */
function DroppedPlans({ endings }: { endings: readonly Ending[] }) {
  const textOf = useDroppedPlanText()
  return endings.map(
    ({ stripeSubscriptionId: id, appName, plannedChange }) =>
      plannedChange && (
        <div key={id} className={classes.addOns}>
          <Notice tone="warning" {...(endings.length > 1 && { title: appName })}>
            {textOf(plannedChange)}
          </Notice>
        </div>
      ),
  )
}

function DroppedChange({ openChange: { expiresAt: _, ...change } }: { openChange: OpenChange }) {
  const { t } = useTranslation('auto-renewal')
  const nameOf = useOpenChangeText()
  return (
    <div className={classes.addOns}>
      <Notice tone="warning" title={t('cancel.dropped')}>
        {nameOf(change)}
      </Notice>
    </div>
  )
}

function useDay() {
  const locale = useLocale()
  return (instant: string) => (instant === '' ? '–' : formatDate(locale, new Date(instant), 'UTC'))
}

/** The vendor's names, or ours. */
function useReasonNames() {
  const { t } = useTranslation('auto-renewal')
  const { entries } = useDictionary('cancel-reason')
  return (code: (typeof cancelReasons)[number]) =>
    entries?.find((entry) => entry.code === String(code))?.name ?? t(`cancelReasons.${code}`)
}
