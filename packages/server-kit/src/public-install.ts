import { isPublic, isSet } from './config.ts'

/** What is wrong with a setting, without its name. */
export type Fault = readonly [name: string, reason: string]

interface PublicInstall {
  /** The setting that has the program's own public address. */
  own: string
  /** Settings whose defaults are the demo vendor's, or this machine. */
  vendor: readonly string[]
  /** Addresses to which customers are sent, and what they are set to. */
  addresses: Readonly<Record<string, string | readonly string[]>>
  /** All settings that the program looks at. */
  names: readonly string[]
}

/** What settings lack where customers come by a public address: those of the demo, and of the samples, will not do. */
export function publicFaults(env: NodeJS.ProcessEnv, { own, vendor, addresses, names }: PublicInstall): Fault[] {
  const isLocal = (address: string | readonly string[]) => ![address].flat().every(isPublic)
  return [
    ...vendor
      .filter((name) => !isSet(env, name))
      .map((name): Fault => [name, `is not set, but is needed with a public ${own}`]),
    ...Object.entries(addresses)
      .filter(([, address]) => isLocal(address))
      .map(
        ([name, address]): Fault => [
          name,
          `must be ${Array.isArray(address) ? 'https addresses, none of them' : 'an https address that is not'} on this machine`,
        ],
      ),
    ...names
      .filter((name) => /CHANGE-?ME/i.test(env[name] ?? ''))
      .map((name): Fault => [name, 'still has the CHANGE-ME of the sample']),
  ]
}

/** A sentence a setting: of several faults of one, the first says enough. */
export function faultSentences(faults: readonly Fault[]): string[] {
  const reasons = new Map<string, string>()
  for (const [name, reason] of faults) if (!reasons.has(name)) reasons.set(name, reason)
  return [...reasons].map(([name, reason]) => `The setting ${name} ${reason}. See .env.example.`)
}
