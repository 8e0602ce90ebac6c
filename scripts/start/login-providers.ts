import { type ProviderName, providerNames } from '@atrium/contract/login-providers.ts'

type Settings = Readonly<Record<string, string>>

/** Settings of the login providers at the sandbox. One whose client id is set is the real one, and is left alone. */
export function loginProvidersAt(sandbox: string, env: NodeJS.ProcessEnv): Settings {
  return Object.assign(
    {},
    ...providerNames.filter((name) => !env[`${name.toUpperCase()}_CLIENT_ID`]).map((name) => settingsOf(name, sandbox)),
  )
}

function settingsOf(name: ProviderName, sandbox: string): Settings {
  const prefix = name.toUpperCase()
  const address = `${sandbox}/identity/${name}`
  return {
    [`${prefix}_CLIENT_ID`]: `folio-${name}`,
    [`${prefix}_CLIENT_SECRET`]: `sandbox-${name}-secret`,
    ...(name === 'facebook'
      ? { FACEBOOK_DIALOG_URL: `${address}/dialog/oauth`, FACEBOOK_GRAPH_URL: address }
      : { [`${prefix}_ISSUER`]: name === 'microsoft' ? `${address}/common/v2.0` : address }),
  }
}
