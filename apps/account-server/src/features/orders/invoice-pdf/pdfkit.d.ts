import type { Font } from 'fontkit'

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** A font that is parsed already; the types of PDFKit 0.20 do not know it. */
      registerFont(name: string, font: Font): this
    }
  }
}
