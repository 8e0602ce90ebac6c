/** The same characters from another keyboard are the same password. */
export function composed(password: string): string {
  return password.normalize('NFC')
}
