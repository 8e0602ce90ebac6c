import { ActionIcon, TextInput } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import classes from './plan-change.module.css'
import { quantityOf, wholeQuantity } from './plan-change.rules.ts'

interface Props {
  label: string
  description: string
  value: string
  /** The most that can be bought here. */
  most: number
  onChange(value: string): void
  disabled: boolean
}

/**
 * How many, typed or in steps: of keys, or of buttons that a finger hits. What was typed stays until the field is left, since its
 * first digits are another number. Mantine's NumberInput would be 9 kB more.
 */
export function QuantityField({ value, most, onChange, disabled, ...texts }: Props) {
  const number = wholeQuantity(value)
  const step = (by: number) => onChange(String(quantityOf(String(number + by), most).quantity))

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') onChange(String(number))
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }

  return (
    <TextInput
      {...texts}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={onKeyDown}
      onBlur={() => value !== String(number) && onChange(String(number))}
      inputMode="numeric"
      autoComplete="off"
      maxLength={10}
      disabled={disabled}
      autoFocus
      rightSectionWidth={76}
      rightSection={
        // The field's own keys do the same.
        <span className={classes.steps} aria-hidden>
          <Step isDisabled={disabled || number <= 1} onPress={() => step(-1)}>
            <IconMinus size={16} stroke={1.8} />
          </Step>
          <Step isDisabled={disabled || number >= most} onPress={() => step(1)}>
            <IconPlus size={16} stroke={1.8} />
          </Step>
        </span>
      }
    />
  )
}

interface StepProps {
  isDisabled: boolean
  onPress(): void
  children: React.ReactNode
}

function Step({ isDisabled, onPress, children }: StepProps) {
  return (
    <ActionIcon variant="subtle" color="gray" size={32} tabIndex={-1} disabled={isDisabled} onClick={onPress}>
      {children}
    </ActionIcon>
  )
}
