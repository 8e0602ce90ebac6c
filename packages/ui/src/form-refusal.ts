import { createContext } from 'react'
import type { CallProblem } from './call-problem.ts'

/** Why every form and confirmation of the page would be refused, so that each says it at once; undefined: none would. */
export const FormRefusalContext = createContext<CallProblem | undefined>(undefined)
