/** Owner conditions whose removal changes nothing that anybody could see, by file and text, and why. */
export const equivalent: ReadonlyMap<string, string> = new Map<string, string>([
  [
    "cloud/cloud.queries.ts: eq(sessions.memberId, sql.placeholder('memberId'))",
    'the id of the session and the member were read together, from the cookie',
  ],
])
