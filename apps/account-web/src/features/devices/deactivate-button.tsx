import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './devices.module.css'
import { Explained } from './explained.tsx'

interface Props {
  /** Name of the device. */
  name: string
  /** Why it is disabled; it still takes the focus, to show the reason. */
  refusal?: string | undefined
  onPress(): void
  onPreload(): void
}

export function DeactivateButton({ name, refusal, onPress, onPreload }: Props) {
  const { t } = useTranslation('devices')
  const label = t('deactivate.of', { name })

  if (refusal) {
    return (
      <Explained explanation={refusal}>
        <Button
          variant="default"
          size="xs"
          className={classes.action ?? ''}
          aria-label={label}
          aria-disabled
          data-disabled
          onClick={(event) => event.preventDefault()}
        >
          {t('deactivate.action')}
        </Button>
      </Explained>
    )
  }
  return (
    <Button
      variant="default"
      size="xs"
      className={classes.action ?? ''}
      aria-label={label}
      onClick={onPress}
      onMouseEnter={onPreload}
      onFocus={onPreload}
    >
      {t('deactivate.action')}
    </Button>
  )
}
