/** Unicode normalization: keyboards compose the same characters differently. */
export function composed(password: string): string {
  return password.normalize('NFC')
}
