interface File64 {
  /** base64 */
  content: string
  /** The name that the server gave it. */
  filename: string
}

/** Lets the browser save a file from a reply (000 §7: content and filename). */
export function saveFile({ content, filename }: File64): void {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0))
  const url = URL.createObjectURL(new Blob([bytes]))
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // The browser has read the file by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Lets the browser load a file from the server, which needs no memory of the page however large it is. */
export function loadFile(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}
