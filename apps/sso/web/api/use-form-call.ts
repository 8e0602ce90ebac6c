import { CallProblem } from '@atrium/ui/call-problem.ts'
import { fieldErrors } from '@atrium/ui/field-errors.ts'
import { useFieldText } from '@atrium/ui/problem-text.ts'
import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, useState } from 'react'

type Values = Record<string, string>

/** Names the fields that are not filled in as they should be, by the code of the sentence to show. */
type Faults<Form extends Values> = (values: Form) => Partial<Record<keyof Form & string, string>>

interface Call<Form extends Values> {
  form: UseFormReturnType<Form>
  faults: Faults<Form>
  /** The field that a refusal is about which names none itself, by the refusal's code. */
  problemFields?: Readonly<Record<string, keyof Form & string>>
  send(values: Form): Promise<void>
}

/**
 * What happens when a form is sent: its own checks, then the call. A refused field gets its sentence and the focus,
 * any other failure stands above the form, and what was typed stays.
 */
export function useFormCall<Form extends Values>({ form, faults, problemFields = {}, send }: Call<Form>) {
  const fieldText = useFieldText()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<unknown>()

  function show(codes: Readonly<Record<string, string | undefined>>): boolean {
    const [first] = Object.keys(codes)
    if (first === undefined) return false
    form.setErrors(Object.fromEntries(Object.entries(codes).map(([field, code]) => [field, fieldText(code ?? '')])))
    form.getInputNode(first)?.focus()
    return true
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy) return
    setProblem(undefined)
    form.clearErrors()
    const values = form.getValues()
    if (show(faults(values))) return

    setBusy(true)
    try {
      await send(values)
    } catch (failure) {
      if (!show(refusedFields(failure, problemFields))) setProblem(failure)
    } finally {
      setBusy(false)
    }
  }

  return { isBusy, problem, submit: (event: FormEvent) => void submit(event) }
}

function refusedFields(
  failure: unknown,
  problemFields: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (!(failure instanceof CallProblem)) return {}
  const field = problemFields[failure.code]
  return field === undefined ? fieldErrors(failure) : { [field]: failure.code }
}
