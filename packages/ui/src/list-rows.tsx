import { VisuallyHidden } from '@mantine/core'
import { Bone } from './bone.tsx'
import type { ListContent } from './list-column.ts'
import classes from './list-table.module.css'

interface Props<Row> extends ListContent<Row> {
  boneRows: number
}

/** Uneven, as words are. */
const boneWidths = ['62%', '78%', '54%', '70%', '66%']

/** A real table, for wide pages. */
export function ListRows<Row>({ label, columns, rows, rowKey, boneRows }: Props<Row>) {
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ key, label: heading, align, width, place }) => (
            <th key={key} scope="col" data-align={align} style={width ? { width } : undefined}>
              {place === 'action' ? <VisuallyHidden>{heading}</VisuallyHidden> : heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows?.map((row) => (
          <tr key={rowKey(row)}>
            {columns.map(({ key, render, align }) => (
              <td key={key} data-align={align}>
                {render(row)}
              </td>
            ))}
          </tr>
        ))}
        {!rows && <BoneRows columns={columns} boneRows={boneRows} />}
      </tbody>
    </table>
  )
}

function BoneRows<Row>({ columns, boneRows }: Pick<Props<Row>, 'columns' | 'boneRows'>) {
  return Array.from({ length: boneRows }, (_, row) => row).map((row) => (
    <tr key={row}>
      {columns.map(({ key, align }, column) => (
        <td key={key} data-align={align}>
          <Bone width={boneWidths[(row + column * 2) % boneWidths.length] ?? '60%'} />
        </td>
      ))}
    </tr>
  ))
}
