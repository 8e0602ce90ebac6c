import { FormSelect } from '@atrium/ui/form-select.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { Button } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './address-form.module.css'
import type { useAddressForm } from './use-address-form.ts'

interface Props {
  parts: Pick<ReturnType<typeof useAddressForm>, 'form' | 'state' | 'states' | 'chooseState'>
}

/** The states of the chosen country: its list, the wait for it, or that it did not come, with a way to ask again. */
export function StateField({ parts }: Props) {
  return parts.states.problem ? <StatesFailed parts={parts} /> : <StateSelect parts={parts} />
}

function StateSelect({ parts: { form, state, states, chooseState } }: Props) {
  const { t } = useTranslation('addresses')
  const { t: common } = useTranslation('common')

  return (
    <FormSelect
      ref={useFocusPassedOn()}
      choices={states.list ?? []}
      label={t('fields.orderBillState')}
      placeholder={states.list ? t('choose.state') : common('loading')}
      value={state}
      onChange={({ currentTarget }) => chooseState(currentTarget.value)}
      autoComplete="billing address-level1"
      error={form.errors.orderBillState}
      data-path="orderBillState"
    />
  )
}

function StatesFailed({ parts: { states } }: Props) {
  const { t } = useTranslation('addresses')
  const { t: common } = useTranslation('common')
  const problemText = useProblemText()

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

/** When the field goes away with the focus in it, whatever then stands in its place in the form has it. */
function useFocusPassedOn() {
  const field = useRef<HTMLSelectElement>(null)
  useLayoutEffect(() => {
    const select = field.current
    const elements = select?.form?.elements
    return () => {
      if (!select || !elements || document.activeElement !== select) return
      const place = [...elements].indexOf(select)
      setTimeout(() => {
        const next = elements[place]
        if (next instanceof HTMLElement) next.focus()
      })
    }
  }, [])
  return field
}
