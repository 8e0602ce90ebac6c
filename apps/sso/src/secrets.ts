import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

type Purpose = 'browser' | 'device' | 'code' | 'stand-in' | 'name'

/** Encryption and signatures with `SSO_SECRET`. Each purpose has its own key. */
export interface Secrets {
  /** Encrypts a text with authentication. */
  seal(text: string): string
  /** @throws Error if the text was sealed with another secret, or altered */
  open(sealed: string): string
  /** A signature of a text, base64url. */
  sign(purpose: Purpose, text: string): string
  isSignedBy(purpose: Purpose, text: string, signature: string): boolean
}

export function newSecrets(secret: string): Secrets {
  const keyOf = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, 'atrium-sso', purpose, 32))
  const sealing = keyOf('seal')
  const signing = {
    browser: keyOf('browser'),
    device: keyOf('device'),
    code: keyOf('code'),
    'stand-in': keyOf('stand-in'),
    name: keyOf('name'),
  }

  const sign = (purpose: Purpose, text: string) =>
    createHmac('sha256', signing[purpose]).update(text).digest('base64url')

  return {
    sign,
    isSignedBy: (purpose, text, signature) => isSame(sign(purpose, text), signature),
    seal(text) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', sealing, nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },
    open(sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', sealing, bytes.subarray(0, 12), { authTagLength: 16 })
      decipher.setAuthTag(bytes.subarray(-16))
      return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
  }
}

/** 256 bits, base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, base64url; for random values only. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** Compares in constant time. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())
}
