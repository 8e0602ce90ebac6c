import type { Fault, Verdict } from '../../card/verdict.rules.ts'

interface FieldOptions {
  /** The name that browsers and password managers know. */
  name: string
  autocomplete: AutoFill
  inputMode: 'numeric' | 'text'
  format(text: string, isDeleting: boolean): string
  judge(text: string): Verdict
  /** Whether the value has its maximum length: the focus then moves to the next field. */
  isFull(text: string): boolean
}

/**
 * How long after its blur a field shows its fault. The message moves what is below, and a button that moves while it is
 * pressed is missed.
 */
const faultDelayMs = 200

/** The texts of a field in the customer's language. */
interface FieldTexts {
  /** For a field without a visible label. */
  label?: string
  placeholder: string
  isDisabled: boolean
}

/** An input that formats what is typed, and decides when to show its fault. */
export class Field {
  readonly input = document.createElement('input')
  /** Describes the fault, and is linked to the input. */
  readonly error = document.createElement('p')
  /** Called when its value or its fault has changed. */
  onChange: () => void = () => undefined
  /** Called when the field is full, and on a deletion in an empty field. */
  onFull: () => void = () => undefined
  onEmptied: () => void = () => undefined
  readonly #options: FieldOptions
  /** It was left or is submitted, so an incomplete value is a fault. */
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
      // Do not format while an input method is composing.
      if (!isComposing) this.#type(inputType)
    })
    input.addEventListener('compositionend', () => this.#type(''))
    input.addEventListener('blur', () => setTimeout(() => this.#leave(), faultDelayMs))
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

  /** The fault to show to the customer now. */
  get fault(): Fault | undefined {
    const { verdict } = this
    if (verdict.state === 'complete') return undefined
    const isHeard = verdict.state === 'invalid' || this.#isAsked || (verdict.state === 'partial' && this.#isLeft)
    return isHeard ? verdict.fault : undefined
  }

  /** Shows every fault from now on. */
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

  /** Shows its state. @param message of its fault */
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

/** Replaces a field's text; the caret stays after the same character. */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const before = input.value
  const after = format(before)
  if (after === before) return
  const caret = input.selectionStart ?? before.length
  const isAtEnd = caret === before.length
  // The zero that the format adds to a month is before the caret.
  const added = Math.max(0, wordCharacters(after) - wordCharacters(before))
  const place = isAtEnd ? after.length : placeAfter(after, wordCharacters(before.slice(0, caret)) + added)
  input.value = after
  if (document.activeElement === input) input.setSelectionRange(place, place)
}

/** The index in a text after a number of word characters. */
function placeAfter(text: string, count: number): number {
  let place = 0
  while (place < text.length && wordCharacters(text.slice(0, place)) < count) place += 1
  return place
}

function wordCharacters(text: string): number {
  return text.replaceAll(/[^\p{L}\p{N}]/gu, '').length
}
