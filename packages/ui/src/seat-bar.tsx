import classes from './seat-bar.module.css'

interface Props {
  /** Seats that are taken. */
  taken: number
  /** Seats that an invitation holds until it is accepted or expires. */
  held?: number
  total: number
}

/** Seats as a bar: taken, held, free. Hidden from screen readers, since the numbers are next to it. */
export function SeatBar({ taken, held = 0, total }: Props) {
  const free = Math.max(0, total - taken - held)
  const parts = [
    { name: 'taken', seats: taken },
    { name: 'held', seats: held },
    { name: 'free', seats: free },
  ]

  return (
    <div className={classes.bar} aria-hidden="true">
      {parts
        .filter(({ seats }) => seats > 0)
        .map(({ name, seats }) => (
          <div key={name} data-part={name} style={{ flexGrow: seats }} />
        ))}
    </div>
  )
}
