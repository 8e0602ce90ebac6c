import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { useComputer } from './computers.data.ts'
import classes from './devices.module.css'

export interface Replaceable {
  /** Replaces the computer of the device instead. */
  onReplace(): void
}

interface Props extends Replaceable {
  deviceId: string
  /** Name of the computer. */
  name: string
}

/** If the computer has more products: that they stay, and the way to release them all. A support agent replaces none. */
export function OnlyThisProduct({ deviceId, name, onReplace }: Props) {
  const { t } = useTranslation('devices')
  const { support } = usePage()
  const { data } = useComputer(deviceId)
  if (support || !data || data.devices.length < 2) return null
  return (
    <>
      <p>{t('deactivate.onlyThis')}</p>
      <Button variant="transparent" size="compact-sm" px={0} className={classes.instead ?? ''} onClick={onReplace}>
        {t('computer.replace', { name })}
      </Button>
    </>
  )
}
