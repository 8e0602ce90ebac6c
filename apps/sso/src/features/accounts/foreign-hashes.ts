import { timingSafeEqual, scrypt as withCallback } from 'node:crypto'
import { promisify } from 'node:util'
import { verify as verifyArgon2 } from 'argon2'
import { compare as compareBcrypt } from 'bcrypt'

/**
 * Password hashes of other systems, as an account that was taken over has one until it is next signed in to: argon2 and scrypt as PHC
 * strings, bcrypt in its own form. Memory in bytes.
 */
type ForeignHash =
  | { is: 'argon2'; memory: number; passes: number; lanes: number }
  | { is: 'bcrypt'; cost: number }
  | { is: 'scrypt'; N: number; r: number; p: number; salt: Buffer; key: Buffer }

/** Why a hash is not taken over. */
export type HashProblem = 'unknown' | 'too_costly'

/** Its parameters come in any order. */
const argon2Form =
  /^\$argon2(?:id|i|d)\$v=(?:16|19)\$((?:[mtp]=\d{1,8},?){3})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{16,171}$/
const bcryptForm = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{53}$/
const scryptForm =
  /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,4}),p=(\d{1,3})\$([A-Za-z0-9+/.]{11,86}={0,2})\$([A-Za-z0-9+/.]{22,171}={0,2})$/

function parsed(hash: string): ForeignHash | undefined {
  const argon2 = argon2Form.exec(hash)
  if (argon2) {
    const parameters = new Map(argon2[1]?.split(',').map((part) => [part.charAt(0), Number(part.slice(2))]))
    const [memory, passes, lanes] = ['m', 't', 'p'].map((name) => parameters.get(name))
    if (!memory || !passes || !lanes) return undefined
    return { is: 'argon2', memory: memory * 1024, passes, lanes }
  }
  const bcrypt = bcryptForm.exec(hash)
  if (bcrypt) return { is: 'bcrypt', cost: Number(bcrypt[1]) }
  const scrypt = scryptForm.exec(hash)
  if (!scrypt) return undefined
  const [ln = 0, r = 0, p = 0] = scrypt.slice(1, 4).map(Number)
  return { is: 'scrypt', N: 2 ** ln, r, p, salt: bytesOf(scrypt[4]), key: bytesOf(scrypt[5]) }
}

/** Python's passlib writes dots for the plus signs of Base64. */
const bytesOf = (text = '') => Buffer.from(text.replaceAll('.', '+'), 'base64')

/** Highest costs: each comparison takes about a second, or 128 MiB. A file must not be able to stop the sign-in for everybody. */
const highest = { memory: 128 * 1024 ** 2, passedMemory: 1024 ** 3, lanes: 16, bcryptCost: 14 }

/** What keeps a hash from being taken over; undefined: nothing. */
export function hashProblem(hash: string): HashProblem | undefined {
  const foreign = parsed(hash)
  if (!foreign) return 'unknown'
  return isTooCostly(foreign) ? 'too_costly' : undefined
}

function isTooCostly(foreign: ForeignHash): boolean {
  if (foreign.is === 'bcrypt') return foreign.cost > highest.bcryptCost
  if (foreign.is === 'argon2') {
    const { memory, passes, lanes } = foreign
    return memory > highest.memory || memory * passes > highest.passedMemory || lanes > highest.lanes
  }
  const memory = 128 * foreign.N * foreign.r
  return memory > highest.memory || memory * foreign.p > highest.passedMemory / 4
}

/** Whether a password has this hash, in any of the forms. bcrypt reads the first 72 bytes of a password only. */
export async function matchesHash(hash: string, password: string): Promise<boolean> {
  const foreign = parsed(hash)
  if (!foreign || isTooCostly(foreign)) return false
  if (foreign.is === 'argon2') return verifyArgon2(hash, password)
  // PHP's name for the same algorithm.
  if (foreign.is === 'bcrypt') return compareBcrypt(password, hash.replace(/^\$2y\$/, '$2b$'))
  const { N, r, p, salt, key } = foreign
  return timingSafeEqual(await scrypt(password, salt, key.length, { N, r, p, maxmem: 2 * highest.memory }), key)
}

const scrypt = promisify<string, Buffer, number, object, Buffer>(withCallback)
