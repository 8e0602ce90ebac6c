import { isPublic, isSet } from './config.ts'

/** A setting and what is wrong with it. */
export type Fault = readonly [name: string, reason: string]

interface PublicInstall {
  /** The setting of the program's own public address. */
  own: string
  /** Settings whose defaults are the demo vendor's or this machine's. */
  vendor: readonly string[]
  /** Addresses to which customers are sent, with their values. */
  addresses: Readonly<Record<string, string | readonly string[]>>
  /** All settings of the program. */
  names: readonly string[]
}

/** What is wrong with the settings of a public installation, where defaults and samples of the demo are not allowed. */
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

/** A program without its own address takes itself for a trial on this machine, and checks nothing of a public installation. */
export function ownAddressFaults(env: NodeJS.ProcessEnv, own: string, other: string): Fault[] {
  if (isSet(env, own)) return []
  if (isSet(env, other) && isPublic(env[other] ?? ''))
    return [[own, `is not set, but is needed with a public ${other}`]]
  return env.NODE_ENV === 'production' ? [[own, 'is not set, but is needed with NODE_ENV=production']] : []
}

/** One sentence per setting: its first fault. */
export function faultSentences(faults: readonly Fault[]): string[] {
  const reasons = new Map<string, string>()
  for (const [name, reason] of faults) if (!reasons.has(name)) reasons.set(name, reason)
  return [...reasons].map(([name, reason]) => `The setting ${name} ${reason}. See .env.example.`)
}
