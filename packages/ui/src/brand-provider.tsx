import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { brandTheme, brandVariables } from './theme.ts'

interface Props {
  /** `#rrggbb` */
  brandColor: string
  /** The nonce of this reply: the page's policy refuses style elements without it. */
  nonce: string
  children: ReactNode
}

/** The storage key of the color scheme; `color-scheme.js` of each page reads it before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'atrium-color-scheme' })

/** Theme, brand and color scheme of a page; wraps all components. */
export function BrandProvider({ brandColor, nonce, children }: Props) {
  const theme = useMemo(() => brandTheme(brandColor), [brandColor])

  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={brandVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}
