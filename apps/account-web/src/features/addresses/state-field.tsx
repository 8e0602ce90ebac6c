import { FormSelect } from '@atrium/ui/form-select.tsx'
import { useProblemText } from '@atrium/ui/problem-text.ts'
import { Button } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'
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
      ref={useFocusPassedOn<HTMLSelectElement>()}
      choices={states.list ?? []}
      label={t('fields.orderBillState')}
      placeholder={states.list ? t('choose.state') : common('loading')}
      value={state}
      onChange={({ currentTarget }) => chooseState(currentTarget.value)}
      // Letters typed before the list is there mean one of its states, and not the first: none is chosen.
      onKeyDown={(event) => !states.list && isLetter(event) && chooseState('')}
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
      <Button variant="default" size="xs" onClick={states.retry} ref={useFocusPassedOn<HTMLButtonElement>()}>
        {common('retry')}
      </Button>
    </div>
  )
}

/** Not a space, which opens the list, nor a shortcut. */
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}

/** When what has the focus goes away, whatever then stands in its place in the form has it. */
function useFocusPassedOn<Field extends HTMLSelectElement | HTMLButtonElement>() {
  const field = useRef<Field>(null)
  useLayoutEffect(() => {
    const before = field.current
    const elements = before?.form?.elements
    return () => {
      if (!before || !elements || document.activeElement !== before) return
      const place = [...elements].indexOf(before)
      setTimeout(() => {
        const next = elements[place]
        if (next instanceof HTMLElement) next.focus()
      })
    }
  }, [])
  return field
}
