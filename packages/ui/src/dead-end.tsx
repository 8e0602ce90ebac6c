import { Button } from '@mantine/core'
import { EmptyState } from './empty-state.tsx'

interface Props {
  /** Why there is nothing to see. */
  sentence: string
  /** Where to go instead. */
  backLabel: string
  onBack(): void
}

/** For an address that shows nothing to this reader: the reason, and the way back. */
export function DeadEnd({ sentence, backLabel, onBack }: Props) {
  return (
    <div role="alert">
      <EmptyState
        picture="shield"
        sentence={sentence}
        action={
          <Button variant="default" onClick={onBack}>
            {backLabel}
          </Button>
        }
      />
    </div>
  )
}
