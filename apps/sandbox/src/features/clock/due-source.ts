import type { Reader, Tx } from '@atrium/server-kit/database.ts'

/** Something that a provider does of its own accord at a moment, such as a renewal. */
export interface Due {
  /** Of the object that it happens to. */
  id: string
  at: Date
  /** For people: `Renew sub_…`. */
  title: string
}

/**
 * What a stand-in does of its own accord. Several are interleaved by time. Everything is found in stored rows, so that
 * nothing is lost when the program ends.
 */
export interface DueSource {
  /** `Card provider` */
  name: string
  /** The earliest that is due until then. */
  nextDue(db: Reader, until: Date): Promise<Due | undefined>
  /** The next ones, earliest first, for the page. */
  upcoming(db: Reader, most: number): Promise<Due[]>
  /**
   * Does it, in the transaction of the step, if it still is to be done. Afterwards it is no longer due at that moment.
   * @param now what the business clock shows: the moment at which it is due, or later
   */
  perform(tx: Tx, due: Due, now: Date): Promise<void>
  /** Waits until what the step caused has been delivered once, or a bounded time has passed. */
  delivered(): Promise<void>
}
