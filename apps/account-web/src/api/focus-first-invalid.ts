interface Form {
  getInputNode(path: string): Element | null
}

/** Puts the focus on the first refused field, in the order in which they stand on the page. */
export function focusFirstInvalid(form: Form, fields: readonly string[]): void {
  const [first] = fields
    .map((field) => form.getInputNode(field))
    .filter((node) => node instanceof HTMLElement)
    .sort((one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1))
  first?.focus()
}
