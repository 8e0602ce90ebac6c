import type { ReactNode } from 'react'
import classes from './choice-list.module.css'

interface ListProps {
  legend: string
  disabled: boolean
  /** `Choice`s of one name. */
  children: ReactNode
}

/** A few choices that exclude each other, all in sight. */
export function ChoiceList({ legend, disabled, children }: ListProps) {
  return (
    <fieldset className={classes.choices} disabled={disabled}>
      <legend className={classes.legend}>{legend}</legend>
      {children}
    </fieldset>
  )
}

interface ChoiceProps {
  name: string
  value: string
  isChosen: boolean
  isDisabled?: boolean
  /** Gets the focus when the dialog opens. */
  isFirst?: boolean
  /** For a note that is a sentence. */
  isNoteBelow?: boolean
  onChoose(): void
  /** What it is called. */
  children: ReactNode
  /** What it means. */
  note: ReactNode
}

export function Choice({
  name,
  value,
  isChosen,
  isDisabled = false,
  isFirst = false,
  isNoteBelow = false,
  ...props
}: ChoiceProps) {
  return (
    <label className={classes.choice}>
      <input
        type="radio"
        name={name}
        value={value}
        checked={isChosen}
        disabled={isDisabled}
        onChange={props.onChoose}
        {...(isFirst && { 'data-autofocus': true })}
      />
      <span className={classes.name}>{props.children}</span>
      <span className={classes.note} data-below={isNoteBelow}>
        {props.note}
      </span>
    </label>
  )
}
