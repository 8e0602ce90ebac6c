import classes from './list-cards.module.css'
import type { ListContent } from './list-column.ts'
import { Skeleton } from './skeleton.tsx'

interface Props<Row> extends ListContent<Row> {
  skeletonRows: number
}

/** The rows as stacked cards, for narrow pages. */
export function ListCards<Row>({ label, columns, rows, rowKey, skeletonRows }: Props<Row>) {
  const title = columns.find(({ place }) => place === 'title')
  const corner = columns.find(({ place }) => place === 'corner')
  const body = columns.find(({ place }) => place === 'body')
  const action = columns.find(({ place }) => place === 'action')
  const others = columns.filter(({ place }) => place === undefined)

  if (!rows)
    return <SkeletonCards cards={Math.min(3, skeletonRows)} lines={others.length} hasBody={body !== undefined} />
  return (
    <ul className={classes.cards} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)} className={classes.card}>
          <div className={`${classes.head} ${title?.isWrapping ? classes.wrapping : ''}`}>
            {title && <div className={classes.title}>{title.render(row, rows)}</div>}
            {corner && <div className={classes.corner}>{corner.render(row, rows)}</div>}
          </div>
          {body && <div className={classes.body}>{body.render(row, rows)}</div>}
          <dl className={classes.lines}>
            {others.map(({ key, label: name, render }) => (
              <div key={key}>
                <dt>{name}</dt>
                <dd>{render(row, rows)}</dd>
              </div>
            ))}
          </dl>
          {action && <div className={classes.action}>{action.render(row, rows)}</div>}
        </li>
      ))}
    </ul>
  )
}

function SkeletonCards({ cards, lines, hasBody }: { cards: number; lines: number; hasBody: boolean }) {
  return (
    <div className={classes.cards} aria-hidden="true">
      {Array.from({ length: cards }, (_, card) => card).map((card) => (
        <div key={card} className={classes.card}>
          <div className={classes.head}>
            <Skeleton width="45%" height={16} />
            <Skeleton width="20%" />
          </div>
          {hasBody && (
            <div className={classes.body}>
              <Skeleton width="85%" />
            </div>
          )}
          <div className={classes.lines}>
            {Array.from({ length: lines }, (_, line) => line).map((line) => (
              <div key={line}>
                <Skeleton width="24%" />
                <Skeleton width="36%" />
              </div>
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
