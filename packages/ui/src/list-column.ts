import type { ReactNode } from 'react'

/** One column, described once for the table and for the cards it becomes. */
export interface Column<Row> {
  key: string
  label: string
  render(row: Row): ReactNode
  /** Numbers stand at the end. */
  align?: 'end'
  /**
   * In a card: `title` heads it, `corner` stands beside that, `body` beneath, `action` at its foot. Others have a line
   * with their label.
   */
  place?: 'title' | 'corner' | 'body' | 'action'
  /** CSS width in the table. */
  width?: string
}

/** What a table and stacked cards show alike. */
export interface ListContent<Row> {
  /** What is listed, for a screen reader. */
  label: string
  columns: readonly Column<Row>[]
  /** Absent while they load. */
  rows: readonly Row[] | undefined
  rowKey(row: Row): string
}
