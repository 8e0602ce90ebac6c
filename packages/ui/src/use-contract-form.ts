import { schemaResolver, useForm } from '@mantine/form'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { use, useState } from 'react'
import { fieldErrors } from './field-errors.ts'
import { FormRefusalContext } from './form-refusal.ts'
import { useFieldText } from './problem-text.ts'
import { useIsUnmounted } from './use-is-unmounted.ts'

/** Error codes by field; undefined for valid fields. */
type Codes = Readonly<Record<string, string | undefined>>

interface ContractForm<Values, Request, Reply> {
  initialValues: Values
  /** Schema of the request. Its issue messages are the contract's codes. */
  schema: StandardSchemaV1<unknown, Request>
  /** Builds the request from the values; by default the values themselves. */
  toRequest?(values: Values): unknown
  /** Rules that the schema cannot express. The schema takes precedence. */
  check?(values: Values): Codes
  /** Rejects with a `CallProblem`. */
  send(request: Request): Promise<Reply>
  /** Not called if the form is unmounted by then. */
  onSent?(reply: Reply, request: Request): void
  /** What the same request was refused with before the form was shown. */
  refused?: unknown
  /** The field for a refusal that names none, by its code. */
  problemFields?: Readonly<Record<string, keyof Values & string>>
}

/**
 * A form with the contract's rules, checked before the request and by the server. Each refused field shows its sentence, the
 * first one gets the focus, and any other failure is the `refusal`; input is preserved.
 * Nothing is checked on blur: a sentence that appears while the pointer is pressed would move the button away.
 */
export function useContractForm<Values extends object, Request, Reply = unknown>({
  initialValues,
  schema,
  toRequest = (values) => values,
  check,
  send,
  onSent,
  refused,
  problemFields,
}: ContractForm<Values, Request, Reply>) {
  const fieldText = useFieldText()
  const isUnmounted = useIsUnmounted()
  const certainRefusal = use(FormRefusalContext)
  const [refusal, setRefusal] = useState<unknown>(refused)
  const form = useForm<Values>({
    initialValues,
    validate: (values) => {
      const issues = schemaResolver<true>(schema, { sync: true })(toRequest(values))
      return inWords({ ...check?.(values), ...issues })
    },
  })

  function inWords(codes: Readonly<Record<string, unknown>>) {
    const refused = Object.entries(codes).filter(([, code]) => code !== undefined)
    return Object.fromEntries(refused.map(([field, code]) => [field, fieldText(String(code))]))
  }

  function focusFirst(fields: readonly string[]) {
    firstOnPage(fields.map((field) => form.getInputNode(field)))?.focus()
  }

  async function request(values: Values) {
    setRefusal(undefined)
    const body = await outputOf(schema, toRequest(values))
    try {
      const reply = await send(body)
      if (!isUnmounted.current) onSent?.(reply, body)
    } catch (problem) {
      const codes = fieldErrors(problem, problemFields)
      const fields = Object.keys(codes)
      if (fields.length === 0) return setRefusal(problem)
      form.setErrors(inWords(codes))
      focusFirst(fields)
    }
  }

  const submit = form.onSubmit(request, (errors) => {
    setRefusal(undefined)
    focusFirst(Object.keys(errors))
  })
  return {
    form,
    submit,
    refusal: certainRefusal ?? refusal,
    isBusy: form.submitting,
    clearRefusal: () => setRefusal(undefined),
  }
}

/** What a schema makes of accepted values. */
async function outputOf<Output>(schema: StandardSchemaV1<unknown, Output>, values: unknown): Promise<Output> {
  const result = await schema['~standard'].validate(values)
  if (result.issues) throw new Error('The form was sent with values that it had refused.')
  return result.value
}

function firstOnPage(nodes: readonly (Element | null)[]): HTMLElement | undefined {
  const [first] = nodes
    .filter((node) => node instanceof HTMLElement)
    .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  return first
}
