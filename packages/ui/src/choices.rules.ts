export interface Choice {
  code: string
  name: string
}

/** The code, if it is among the choices; empty: none, or no longer. What a select shows, and what a form sends. */
export function offered(choices: readonly Choice[], code: string): string {
  return choices.some((choice) => choice.code === code) ? code : ''
}
