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

/** The states of the chosen country: the list, its skeleton, or a failure with a retry button. */
export function StateField({ parts }: Props) {
  return parts.states.problem ? <StatesFailed parts={parts} /> : <StateSelect parts={parts} />
}

function StateSelect({ parts: { form, state, states, chooseState } }: Props) {
  const { t } = useTranslation('addresses')
  const { t: common } = useTranslation('common')

  return (
    <FormSelect
      ref={usePassFocus<HTMLSelectElement>()}
      choices={states.list ?? []}
      label={t('fields.orderBillState')}
      placeholder={states.list ? t('choose.state') : common('loading')}
      value={state}
      onChange={({ currentTarget }) => chooseState(currentTarget.value)}
      // Letters typed before the list has loaded are for one of its states; none is chosen then, rather than the first.
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
      <Button variant="default" size="xs" onClick={states.retry} ref={usePassFocus<HTMLButtonElement>()}>
        {common('retry')}
      </Button>
    </div>
  )
}

/** Neither a space, which opens the list, nor a shortcut. */
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
}

/** Moves the focus from an unmounted field to the one that replaces it. */
function usePassFocus<Field extends HTMLSelectElement | HTMLButtonElement>() {
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
