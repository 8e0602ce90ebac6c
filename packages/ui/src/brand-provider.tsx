import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { type ReactNode, useMemo } from 'react'
import { brandTheme, brandVariables } from './theme.ts'

interface Props {
  /** `#rrggbb` */
  brandColor: string
  /** The nonce of this reply: style elements without it are refused by the page's policy. */
  nonce: string
  children: ReactNode
}

/** Where the chosen color scheme is kept; `color-scheme.js` of each page reads it before the first paint. */
const colorSchemeManager = localStorageColorSchemeManager({ key: 'atrium-color-scheme' })

/** Theme, brand and color scheme of a page. Everything that is drawn stands inside it. */
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
