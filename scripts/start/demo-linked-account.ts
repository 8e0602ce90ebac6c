import pg from 'pg'
import { subjectOf } from '../../apps/sandbox/src/features/identity/people.ts'

const email = 'linus@folio.test'

/** Links Linus's account to his Google account at the sandbox. The real Google does not know him. */
export async function linkDemoAccount(databaseUrl: string, env: NodeJS.ProcessEnv): Promise<void> {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_ISSUER: issuer } = env
  if (clientId !== 'folio-google' || !issuer) return

  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(
      `insert into sso.accounts (id, provider_id, authority, account_id, email, user_id)
       select gen_random_uuid()::text, 'google', $1, $2, email, id from sso.users where email = $3
       on conflict do nothing`,
      [issuer, subjectOf('google', { email }), email],
    )
  } finally {
    await client.end()
  }
}
