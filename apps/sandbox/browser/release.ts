import type { ReleaseTrain } from '@stripe/stripe-js'

/** The release of the browser SDK that the installed loader asks for: it warns of any other. */
export const release = 'endive' satisfies ReleaseTrain
