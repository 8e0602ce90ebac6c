import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** The host of messages; loaded by `message-code.ts`. */
export function MessageHost() {
  const { t } = useTranslation('common')
  const label = t('close')
  // Messages are created outside React, so their buttons are labeled here.
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': label } } } } }),
    [label],
  )

  return (
    <MantineThemeProvider theme={theme} inherit>
      <Notifications position="top-left" containerWidth={420} transitionDuration={150} />
    </MantineThemeProvider>
  )
}
