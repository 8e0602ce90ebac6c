import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { ConfigError } from './config.ts'

/**
 * Refuses a start without the certificates that were asked for: Node goes on with a line on standard error, or with none, and
 * what is reached through the vendor's own authority (sign-on, mail, the database) then fails for every customer.
 * @throws ConfigError
 */
export function refuseMissingCertificates(env: NodeJS.ProcessEnv): void {
  refuseUnreadableCertificates(env)
  if (!env.NODE_EXTRA_CA_CERTS || getCACertificates('extra').length > 0) return
  throw refusal('Node reads it before it reads .env: set it in the environment')
}

/** The same for programs that are yet to start, with this environment. @throws ConfigError */
export function refuseUnreadableCertificates({ NODE_EXTRA_CA_CERTS: path }: NodeJS.ProcessEnv): void {
  const fault = path && faultOf(path)
  if (fault) throw refusal(fault)
}

function refusal(fault: string): ConfigError {
  return new ConfigError([
    `The setting NODE_EXTRA_CA_CERTS is not valid: ${fault}. It names a file with the certificates (PEM) of an authority of your own.`,
  ])
}

function faultOf(path: string): string | undefined {
  try {
    const [first] = /-----BEGIN [A-Z0-9 ]*CERTIFICATE-----.*?-----END [A-Z0-9 ]*CERTIFICATE-----/s.exec(
      readFileSync(path, 'utf8'),
    ) ?? ['']
    return isCertificate(first) ? undefined : `the file ${path} has no certificate in PEM`
  } catch (error) {
    return `the file ${path} cannot be read (${error instanceof Error && 'code' in error ? error.code : error})`
  }
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined
  } catch {
    return false
  }
}
