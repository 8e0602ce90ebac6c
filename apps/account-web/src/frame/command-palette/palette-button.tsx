import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadableDialog } from '../../page/loadable-dialog.tsx'
import { loadTexts } from '../../page/texts.ts'
import classes from '../header-menus.module.css'
import { useSignOut } from '../use-sign-out.ts'

const { Dialog: CommandPalette, preload } = loadableDialog(async () => {
  const [{ CommandPalette }] = await Promise.all([import('./command-palette.tsx'), loadTexts('search')])
  return CommandPalette
})

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the command palette, as Ctrl K does everywhere (⌘ K on a Mac). Its code is loaded on first use. */
export function PaletteButton() {
  const { t } = useTranslation('frame')
  const [isOpen, setIsOpen] = useState(false)
  // Here, because the palette is closed by then.
  const signOut = useSignOut()

  function open() {
    // One dialog at a time.
    if (!document.querySelector('[data-dialog]')) setIsOpen(true)
  }
  useHotkeys([['mod+K', open]], [])

  return (
    <>
      <UnstyledButton
        className={`${classes.trigger} ${classes.search}`}
        onClick={open}
        onPointerEnter={preload}
        onFocus={preload}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      >
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <VisuallyHidden>{t('search')}</VisuallyHidden>
        <span className={classes.wide} aria-hidden="true">
          {t('search')}
        </span>
        <span className={classes.shortcut} aria-hidden="true">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </span>
      </UnstyledButton>
      {isOpen && <CommandPalette onSignOut={signOut} onClose={() => setIsOpen(false)} />}
    </>
  )
}
