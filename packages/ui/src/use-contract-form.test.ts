import { createInstance } from 'i18next'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { I18nextProvider, initReactI18next } from 'react-i18next'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { CallProblem } from './call-problem.ts'
import { FormRefusalContext } from './form-refusal.ts'
import { useContractForm } from './use-contract-form.ts'

const Edit = z.object({
  name: z.string().trim().min(1, 'first_name_required').max(5, 'too_long'),
  seats: z.int('seats_required'),
})
type Options = Parameters<typeof useContractForm<{ name: string; seats: number | string }, z.output<typeof Edit>>>[0]

const problems = { first_name_required: 'Your name, please', too_long: 'Too long', field_invalid: 'Please check' }

/** The form's initial render. Without a browser nothing rerenders, but all decisions are made. */
async function newForm(options: Partial<Options>, certainRefusal?: CallProblem) {
  const i18n = createInstance()
  await i18n.use(initReactI18next).init({ lng: 'en', resources: { en: { problems } }, react: { useSuspense: false } })
  const send = vi.fn(async () => undefined)
  const render = () => {
    const initialValues: Options['initialValues'] = { name: '', seats: 1 }
    return useContractForm({ schema: Edit, initialValues, send, ...options })
  }
  let parts: ReturnType<typeof render> | undefined
  function Form() {
    parts = render()
    return null
  }
  const refusable = createElement(FormRefusalContext, { value: certainRefusal }, createElement(Form))
  renderToString(createElement(I18nextProvider, { i18n }, refusable))
  if (!parts) throw new Error('The form was not rendered.')
  return { ...(parts as ReturnType<typeof render>), send }
}

const errorsOf = async (options: Partial<Options>) => {
  const { form } = await newForm(options)
  const { errors } = await form.validate()
  return errors
}

test('values that the contract refuses have an error text per field', async () => {
  expect(await errorsOf({ initialValues: { name: ' ', seats: 1 } })).toEqual({ name: 'Your name, please' })
  expect(await errorsOf({ initialValues: { name: 'too long', seats: '' } })).toEqual({
    name: 'Too long',
    seats: 'Please check',
  })
})

test('values that the contract accepts have no errors', async () => {
  expect(await errorsOf({ initialValues: { name: 'Ada', seats: 2 } })).toEqual({})
})

test('additional rules are checked too; for the same field, the schema takes precedence', async () => {
  const check = () => ({ name: 'field_invalid', seats: undefined, zip: 'too_long' })

  expect(await errorsOf({ initialValues: { name: 'Ada', seats: 2 }, check })).toEqual({
    name: 'Please check',
    zip: 'Too long',
  })
  expect(await errorsOf({ initialValues: { name: '', seats: 2 }, check })).toEqual({
    name: 'Your name, please',
    zip: 'Too long',
  })
})

test('the sent request is parsed by the contract', async () => {
  const { submit, send } = await newForm({
    initialValues: { name: ' Ada ', seats: '' },
    toRequest: ({ name }) => ({ name, seats: 3, unknown: true }),
  })
  submit()

  await expect.poll(() => send).toHaveBeenCalledExactlyOnceWith({ name: 'Ada', seats: 3 })
})

test('a form with errors is not sent', async () => {
  vi.stubGlobal('document', { querySelector: () => null })
  vi.stubGlobal('HTMLElement', class {})
  const { submit, send } = await newForm({ initialValues: { name: '', seats: 1 } })
  submit()
  await new Promise((resolve) => setTimeout(resolve, 20))

  expect(send).not.toHaveBeenCalled()
  vi.unstubAllGlobals()
})

test('onSent receives the reply and the request', async () => {
  const onSent = vi.fn()
  const { submit } = await newForm({
    initialValues: { name: 'Ada', seats: 1 },
    send: async () => 'reply',
    onSent,
  })
  submit()

  await expect.poll(() => onSent).toHaveBeenCalledExactlyOnceWith('reply', { name: 'Ada', seats: 1 })
})

test('where every form would be refused, it says so before anything is typed', async () => {
  const readOnly = new CallProblem('support_read_only')
  const { refusal } = await newForm({}, readOnly)
  expect(refusal).toBe(readOnly)
})
