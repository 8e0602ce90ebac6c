import classes from './seat-bar.module.css'

interface Props {
  /** Seats that somebody has. */
  taken: number
  /** Seats that an invitation holds until it is accepted, or ends. */
  held?: number
  total: number
}

/** Seats at a glance: taken, held, free. Its numbers stand beside it in words; a screen reader needs only those. */
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
