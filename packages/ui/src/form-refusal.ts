import { createContext } from 'react'
import type { CallProblem } from './call-problem.ts'

/** Why every form of the page would be refused, so that each says it before anything is typed; undefined: none would. */
export const FormRefusalContext = createContext<CallProblem | undefined>(undefined)
