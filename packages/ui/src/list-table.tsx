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
  /** The rows are of another page, kept until the new ones are here. */
  isStale?: boolean
  problem?: unknown
  /** The specification's own sentence for a list that could not be loaded. */
  failureSentence?: string | undefined
  onRetry(): void
  isRetrying?: boolean
  /** Stands in the place of no rows. */
  empty: ReactNode
  paging?: Paging
  /** How many rows the skeleton has. */
  skeletonRows?: number
}

/** Pixels without which a table is no table: a tablet has them, and has not while its menu is open. */
const tableWidth = 800

/** Pixels that the frame's own edges take. */
const borders = 2

/** The one list: a table, or stacked cards where a table has no room; with its waiting, its failure and its emptiness. */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { label, columns, rows, rowKey, problem, empty, paging, isStale = false, skeletonRows = 5 } = props
  const { hasRoom, frame, content } = useRoom()

  if (!rows && problem) {
    const { failureSentence, onRetry, isRetrying = false } = props
    return <Failure problem={problem} sentence={failureSentence} onRetry={onRetry} isRetrying={isRetrying} />
  }
  if (rows?.length === 0) return <div className={classes.frame}>{empty}</div>

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

/** Whether a table fits: by the page's width, and once the list is there, by its own, and by what its words need. */
function useRoom() {
  const isWide = useMediaQuery(`(min-width: ${breakpoints.table}px)`, true, { getInitialValueInEffect: false })
  const { ref: frame, width } = useElementSize()
  const content = useRef<HTMLDivElement>(null)
  const [needed, setNeeded] = useState(tableWidth)
  const hasRoom = isWide && !(width > 0 && width < needed)

  // Words of some languages are longer than the columns: a table that reaches over the edge says how much it needs.
  useLayoutEffect(() => {
    const { scrollWidth = 0, clientWidth = 0 } = content.current ?? {}
    if (hasRoom && scrollWidth > clientWidth) setNeeded(scrollWidth + borders)
  })

  return { frame, content, hasRoom }
}
