interface File64 {
  /** base64 */
  content: string
  /** The server's own name for it. */
  filename: string
}

/** Lets the browser save a file that came in a reply (000 §7: content and filename). */
export function saveFile({ content, filename }: File64): void {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser has the file by then; the page no longer needs to hold it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
