export interface Choice {
  code: string
  name: string
}

/** The code if it is among the choices, else empty: the value of a select, and what a form sends. */
export function offered(choices: readonly Choice[], code: string): string {
  return choices.some((choice) => choice.code === code) ? code : ''
}
