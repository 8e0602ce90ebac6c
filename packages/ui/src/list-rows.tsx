import { VisuallyHidden } from '@mantine/core'
import type { ListContent } from './list-column.ts'
import classes from './list-table.module.css'
import { Skeleton } from './skeleton.tsx'

interface Props<Row> extends ListContent<Row> {
  skeletonRows: number
}

/** Uneven, like words. */
const skeletonWidths = ['62%', '78%', '54%', '70%', '66%']

/** The rows as a table, for wide pages. */
export function ListRows<Row>({ label, columns, rows, rowKey, skeletonRows }: Props<Row>) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, label: heading, align, width, place, hasHeading }) => (
            <th key={key} scope="col" data-align={align} style={width ? { width } : undefined}>
              {place === 'action' && !hasHeading ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, render, align }) => (
              <td key={key} data-align={align}>
                {render(row, rows)}
              </td>
            ))}
          </tr>
        ))}
        {!rows && <SkeletonRows columns={columns} skeletonRows={skeletonRows} />}
      </tbody>
    </table>
  )
}

function SkeletonRows<Row>({ columns, skeletonRows }: Pick<Props<Row>, 'columns' | 'skeletonRows'>) {
  return Array.from({ length: skeletonRows }, (_, row) => row).map((row) => (
    <tr key={row}>
      {columns.map(({ key, align }, column) => (
        <td key={key} data-align={align}>
          <Skeleton width={skeletonWidths[(row + column * 2) % skeletonWidths.length] ?? '60%'} />
        </td>
      ))}
    </tr>
  ))
}
