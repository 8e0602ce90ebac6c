import type { ProblemDocument } from '@atrium/contract/problem.ts'

type ValueOf<Body, Name> = Body extends unknown ? (Name extends keyof Body ? Body[Name] : never) : never

/** The fields of any reply of an endpoint that has several. */
type FieldsOf<Body> = {
  [Name in Body extends unknown ? keyof Body : never]: ValueOf<Body, Name>
}

export interface Reply<Body> {
  status: number
  /** A reply or a problem; `status` is that of the reply, and `type` what a reply has by this name. */
  body: FieldsOf<Body> & Partial<Omit<ProblemDocument, 'status' | 'type'>>
  headers: Readonly<Record<string, unknown>>
}
