import { MantineThemeProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** The place of the messages; `messages.tsx` loads it. */
export function MessageHost() {
  const { t } = useTranslation('common')
  const label = t('close')
  // Messages come from outside of React: what their buttons are called is known here alone.
  const theme = useMemo(
    () => ({ components: { Notification: { defaultProps: { closeButtonProps: { 'aria-label': label } } } } }),
    [label],
  )

  return (
    <MantineThemeProvider theme={theme} inherit>
      <Notifications position="bottom-center" containerWidth={420} transitionDuration={150} />
    </MantineThemeProvider>
  )
}
