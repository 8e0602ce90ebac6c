/** What a run proved wrong, a sentence for each. */
export interface Findings {
  lost: string[]
  doubled: string[]
}

export function newFindings(): Findings {
  return { lost: [], doubled: [] }
}

export function isClean({ lost, doubled }: Findings): boolean {
  return lost.length + doubled.length === 0
}
