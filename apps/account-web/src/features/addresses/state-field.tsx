import { Chooser } from '@atrium/ui/chooser.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './address-form.module.css'
import type { useAddressForm } from './use-address-form.ts'

interface Props {
  parts: Pick<ReturnType<typeof useAddressForm>, 'form' | 'state' | 'states' | 'chooseState'>
}

/** The states of the chosen country: its list, the wait for it, or that it did not come, with a way to ask again. */
export function StateField({ parts: { form, state, states, chooseState } }: Props) {
  const { t } = useTranslation('addresses')
  const { t: common } = useTranslation('common')
  const problemText = useProblemText()

  if (states.problem) {
    return (
      <div role="alert" className={classes.statesFailed}>
        <p>
          {t('edit.statesFailed')} {problemText(states.problem)}
        </p>
        <Button variant="default" size="xs" onClick={states.retry} loading={states.isRetrying}>
          {common('retry')}
        </Button>
      </div>
    )
  }
  return (
    <Chooser
      choices={states.list ?? []}
      label={t('fields.orderBillState')}
      placeholder={states.list ? t('choose.state') : common('loading')}
      readOnly={!states.list}
      value={state}
      onChange={chooseState}
      error={form.errors.orderBillState}
      data-path="orderBillState"
    />
  )
}
