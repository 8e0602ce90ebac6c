import type { Fault, Verdict } from '../../card/verdict.rules.ts'

interface FieldOptions {
  /** By which browsers and password managers know it. */
  name: string
  autocomplete: AutoFill
  inputMode: 'numeric' | 'text'
  format(text: string, isDeleting: boolean): string
  judge(text: string): Verdict
  /** As many characters as there can be: the next field's turn. */
  isFull(text: string): boolean
}

/**
 * How long after it was left a field finds fault, in milliseconds: what appears moves what is below, and a button that
 * moves away under the finger is not pressed.
 */
const patience = 200

/** What is said about a field in the customer's language. */
interface FieldTexts {
  /** Where no visible label names it. */
  label?: string
  placeholder: string
  isDisabled: boolean
}

/** One input: formats what is typed, and knows when to find fault with it. */
export class Field {
  readonly input = document.createElement('input')
  /** Says what is wrong; tied to the input. */
  readonly error = document.createElement('p')
  /** Called when what is in it, or what is wrong with it, has changed. */
  onChange: () => void = () => undefined
  /** Called when nothing more can be typed; and when something is deleted where nothing is left. */
  onFull: () => void = () => undefined
  onEmptied: () => void = () => undefined
  readonly #options: FieldOptions
  /** It was left, or is to be used: what is not finished is at fault. */
  #isLeft = false
  #isAsked = false

  constructor(options: FieldOptions) {
    const { input, error } = this
    this.#options = options
    input.type = 'text'
    input.id = options.name
    input.name = options.name
    input.autocomplete = options.autocomplete
    input.inputMode = options.inputMode
    input.spellcheck = false
    input.setAttribute('autocorrect', 'off')
    error.id = `${options.name}-error`
    input.addEventListener('input', (event) => {
      const { inputType, isComposing } = event instanceof InputEvent ? event : { inputType: '', isComposing: false }
      // What an input method is still composing is its own.
      if (!isComposing) this.#type(inputType)
    })
    input.addEventListener('compositionend', () => this.#type(''))
    input.addEventListener('blur', () => setTimeout(() => this.#leave(), patience))
    input.addEventListener('keydown', ({ key }) => {
      if (key === 'Backspace' && input.value === '') this.onEmptied()
    })
  }

  get text(): string {
    return this.input.value
  }

  get verdict(): Verdict {
    return this.#options.judge(this.input.value)
  }

  /** What is wrong with it as far as the customer should hear of it now. */
  get fault(): Fault | undefined {
    const { verdict } = this
    if (verdict.state === 'complete') return undefined
    const isHeard = verdict.state === 'invalid' || this.#isAsked || (verdict.state === 'partial' && this.#isLeft)
    return isHeard ? verdict.fault : undefined
  }

  /** From now on everything that is wrong with it is said. */
  ask(): void {
    this.#isAsked = true
  }

  fill(text: string): void {
    this.input.value = this.#options.format(text, false)
  }

  clear(): void {
    this.input.value = ''
    this.#isAsked = false
    this.#isLeft = false
    this.onChange()
  }

  label({ label, placeholder, isDisabled }: FieldTexts): void {
    if (label !== undefined) this.input.setAttribute('aria-label', label)
    this.input.placeholder = placeholder
    this.input.disabled = isDisabled
  }

  /** Shows how it stands. @param message of its fault */
  show(message: string | undefined): void {
    const { input, error } = this
    const { state } = this.verdict
    for (const [name, isSo] of [
      ['invalid', message !== undefined],
      ['empty', state === 'empty'],
      ['complete', state === 'complete'],
    ] as const) {
      input.classList.toggle(`Input--${name}`, isSo)
    }
    input.setAttribute('aria-invalid', String(message !== undefined))
    if (message === undefined) input.removeAttribute('aria-describedby')
    else input.setAttribute('aria-describedby', error.id)
    if (error.textContent !== (message ?? '')) error.textContent = message ?? ''
  }

  #type(kind: string): void {
    const isDeleting = kind.startsWith('delete')
    this.#isLeft = false
    this.#isAsked = false
    reformat(this.input, (text) => this.#options.format(text, isDeleting))
    this.onChange()
    const isAtEnd = this.input.selectionStart === this.input.value.length
    const isHere = document.activeElement === this.input
    if (!isDeleting && isAtEnd && isHere && this.#options.isFull(this.input.value)) this.onFull()
  }

  #leave(): void {
    if (this.#isLeft || (document.hasFocus() && document.activeElement === this.input)) return
    const isFaulty = this.fault !== undefined
    this.#isLeft = true
    if ((this.fault !== undefined) !== isFaulty) this.onChange()
  }
}

/** Writes a field's text anew; the caret stays behind the same character. */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const before = input.value
  const after = format(before)
  if (after === before) return
  const caret = input.selectionStart ?? before.length
  const isAtEnd = caret === before.length
  // What the format puts in, a month's zero, is in front of the caret.
  const added = Math.max(0, wordCharacters(after) - wordCharacters(before))
  const place = isAtEnd ? after.length : placeAfter(after, wordCharacters(before.slice(0, caret)) + added)
  input.value = after
  if (document.activeElement === input) input.setSelectionRange(place, place)
}

/** The place in a text right behind so many word characters. */
function placeAfter(text: string, count: number): number {
  let place = 0
  while (place < text.length && wordCharacters(text.slice(0, place)) < count) place += 1
  return place
}

function wordCharacters(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length
}
