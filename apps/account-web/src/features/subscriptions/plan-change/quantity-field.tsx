import { ActionIcon, TextInput } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import classes from './plan-change.module.css'

interface Props {
  label: string
  description: string
  value: number | string
  /** The most that can be bought here. */
  most: number
  onChange(value: number | string): void
  disabled: boolean
}

/** How many, typed or in steps: of keys, or of buttons that a finger hits. Mantine's NumberInput would be 9 kB more. */
export function QuantityField({ value, most, onChange, disabled, ...texts }: Props) {
  const number = Math.max(0, Math.floor(Number(value)) || 0)
  const step = (by: number) => onChange(Math.min(Math.max(1, most), Math.max(1, number + by)))

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return
    event.preventDefault()
    step(event.key === 'ArrowUp' ? 1 : -1)
  }

  return (
    <TextInput
      {...texts}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value.replaceAll(/\D/g, ''))}
      onKeyDown={onKeyDown}
      // What is not at least 1 becomes 1 (001 §5).
      onBlur={() => number < 1 && step(0)}
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
