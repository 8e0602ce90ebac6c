import { z } from 'zod'

const timeoutMs = 10_000

/** CAS 3.0, appendix D. */
const Answer = z.object({
  serviceResponse: z.union([
    z.object({
      authenticationSuccess: z.object({
        attributes: z.object({ firstName: z.string(), lastName: z.string(), email: z.string() }),
      }),
    }),
    z.object({ authenticationFailure: z.object({ code: z.string() }) }),
  ]),
})

export interface Person {
  name: string
  email: string
}

/** Validates a ticket at the single sign-on. @returns the person, or why not: a code of CAS, or `UNREACHABLE` */
export async function validateAt(
  ssoUrl: string,
  { service, ticket }: { service: string; ticket: string },
): Promise<{ person: Person } | { code: string }> {
  const url = `${ssoUrl}/cas/p3/serviceValidate?${new URLSearchParams({ service, ticket, format: 'JSON' })}`
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
    const { serviceResponse } = Answer.parse(await response.json())
    if ('authenticationFailure' in serviceResponse) return { code: serviceResponse.authenticationFailure.code }
    const { firstName, lastName, email } = serviceResponse.authenticationSuccess.attributes
    return { person: { name: `${firstName} ${lastName}`, email } }
  } catch {
    return { code: 'UNREACHABLE' }
  }
}
