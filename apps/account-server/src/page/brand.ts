import { textOn } from '@atrium/contract/contrast.ts'
import type { PageSettings } from '@atrium/contract/session.ts'

export type Brand = Pick<PageSettings, 'brandName' | 'brandColor'>

/** The vendor's mark, as `BrandMark` of `packages/ui` draws it. Its styles fill the first path and draw the second. */
export const brandSign =
  '<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path d="M5.5 2h8.3L20 8.2v12.3a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 20.5v-17A1.5 1.5 0 0 1 5.5 2Z"/><path d="M8 13h8M8 17h5"/></svg>'

/** CSS variables: the vendor's color, and that of text on it. */
export function brandColors({ brandColor }: Brand): string {
  return `--boot-brand:${brandColor};--boot-on-brand:${textOn(brandColor)}`
}
