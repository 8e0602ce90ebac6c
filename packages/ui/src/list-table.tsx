import { useElementSize, useMediaQuery } from '@mantine/hooks'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { Failure } from './failure.tsx'
import { ListCards } from './list-cards.tsx'
import type { ListContent } from './list-column.ts'
import { ListPaging, type Paging } from './list-paging.tsx'
import { ListRows } from './list-rows.tsx'
import classes from './list-table.module.css'
import { breakpoints } from './theme.ts'

export interface ListTableProps<Row> extends ListContent<Row> {
  /** The rows are of the previous page, shown until the new ones are loaded. */
  isStale?: boolean
  problem?: unknown
  /** The specification's sentence for a list that could not be loaded. */
  failureSentence?: string | undefined
  onRetry(): void
  isRetrying?: boolean
  /** Shown instead of an empty list. */
  empty: ReactNode
  paging?: Paging
  /** Number of skeleton rows. */
  skeletonRows?: number
}

/** Minimum width of a table in pixels: a tablet has it unless its menu is open. */
const tableWidth = 800

/** Width of the frame's borders in pixels. */
const borders = 2

/** A list: a table, or stacked cards if there is no room; with loading, failure and empty states. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, columns, rows, rowKey, problem, empty, paging, isStale = false, skeletonRows = 5 } = props
  const { hasRoom, frame, content } = useRoom()

  if (!rows && problem) {
    const { failureSentence, onRetry, isRetrying = false } = props
    return <Failure problem={problem} sentence={failureSentence} onRetry={onRetry} isRetrying={isRetrying} />
  }
  if (rows?.length === 0) return empty

  const View = hasRoom ? ListRows : ListCards
  return (
    <div ref={frame} className={hasRoom ? classes.frame : undefined} aria-busy={!rows || isStale}>
      <div ref={content} className={classes.content} data-stale={isStale}>
        <View label={label} columns={columns} rows={rows} rowKey={rowKey} skeletonRows={skeletonRows} />
      </div>
      {paging && rows && <ListPaging {...paging} />}
    </div>
  )
}

/** Whether a table fits: by the page's width, then by its own and that of its content. */
function useRoom() {
  const isWide = useMediaQuery(`(min-width: ${breakpoints.table}px)`, true, { getInitialValueInEffect: false })
  const { ref: frame, width } = useElementSize()
  const content = useRef<HTMLDivElement>(null)
  const [needed, setNeeded] = useState(tableWidth)
  const hasRoom = isWide && !(width > 0 && width < needed)

  // Words of some languages are longer than the columns: an overflowing table defines the width it needs.
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = content.current ?? {}
    if (hasRoom && scrollWidth > clientWidth) setNeeded(scrollWidth + borders)
  })

  return { frame, content, hasRoom }
}
