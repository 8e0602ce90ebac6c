import type { ReactNode } from 'react'

/** One column, for both the table and the cards. */
export interface Column<Row> {
  key: string
  label: string
  /** `rows` are those of the page, for what stands out or is alike among them. */
  render(row: Row, rows: readonly Row[]): ReactNode
  /** For numbers. */
  align?: 'end'
  /**
   * Place in a card: `title` at the top, `corner` next to it, `body` below, `action` at the foot. By default a line with the
   * label.
   */
  place?: 'title' | 'corner' | 'body' | 'action'
  /** Of a title: the elements that it and the corner render stand below one another where a card's head has no room for them. */
  isWrapping?: boolean
  /** Shows the heading of actions, which by default only a screen reader needs. */
  hasHeading?: boolean
  /** CSS width in the table. */
  width?: string
}

/** What table and cards have in common. */
export interface ListContent<Row> {
  /** Name of the list, for a screen reader. */
  label: string
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  rowKey(row: Row): string
}
