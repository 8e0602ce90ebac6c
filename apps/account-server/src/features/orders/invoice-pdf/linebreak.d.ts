/** PDFKit's own line breaker, which has no types. */
declare module 'linebreak' {
  class LineBreaker {
    constructor(text: string)
    /** The next place where a line may break, as an index of the text; null after its end. */
    nextBreak(): { position: number } | null
  }
  export = LineBreaker
}
