import { textOn } from '@atrium/contract/contrast.ts'

/** Sets the page's icon to the vendor's mark in the brand color, as a data address. */
export function showBrandIcon(document: Document, brandColor: string): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link || !/^#[0-9a-f]{6}$/i.test(brandColor)) return
  const picture =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    `<path fill="${brandColor}" d="M5.5 2h8.3L20 8.2v12.3a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 20.5v-17A1.5 1.5 0 0 1 5.5 2Z"/>` +
    `<path fill="none" stroke="${textOn(brandColor)}" stroke-width="1.8" stroke-linecap="round" d="M8 13h8M8 17h5"/></svg>`
  link.type = 'image/svg+xml'
  link.href = `data:image/svg+xml,${encodeURIComponent(picture)}`
}
