import { schemaResolver, useForm } from '@mantine/form'
import type { StandardSchemaV1 } from '@standard-schema/spec'
import { useState } from 'react'
import { fieldErrors } from './field-errors.ts'
import { useFieldText } from './problem-text.ts'
import { useGone } from './use-gone.ts'

/** Codes by field; none where a field is filled in as it should be. */
type Codes = Readonly<Record<string, string | undefined>>

interface ContractForm<Values, Request, Reply> {
  initialValues: Values
  /** Of the request. The messages of its issues are the contract's codes. */
  schema: StandardSchemaV1<unknown, Request>
  /** The request for what was typed; by default that itself. */
  toRequest?(values: Values): unknown
  /** Rules that the schema cannot know. The schema's own speak first. */
  check?(values: Values): Codes
  /** Rejects with a `CallProblem`. */
  send(request: Request): Promise<Reply>
  /** Not called when the reader has left the form by then. */
  onSent?(reply: Reply, request: Request): void
  /** The field that a refusal is about which names none itself, by the refusal's code. */
  problemFields?: Readonly<Record<string, keyof Values & string>>
}

/**
 * A form whose rules are the contract's, before the request and after it: each refused field has its sentence, the first has
 * the focus, any other failure is the `refusal`, and what was typed stays. Nothing is checked on blur: a sentence that
 * appears under the pointer's press would move the button away from its release.
 */
export function useContractForm<Values extends object, Request, Reply = unknown>({
  initialValues,
  schema,
  toRequest = (values) => values,
  check,
  send,
  onSent,
  problemFields,
}: ContractForm<Values, Request, Reply>) {
  const fieldText = useFieldText()
  const isGone = useGone()
  const [refusal, setRefusal] = useState<unknown>()
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
      if (!isGone.current) onSent?.(reply, body)
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
  return { form, submit, refusal, isBusy: form.submitting }
}

/** What a schema makes of values that it has accepted. */
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
