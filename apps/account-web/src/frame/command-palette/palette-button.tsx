import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { useHotkeys, useWindowEvent } from '@mantine/hooks'
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
  const [typed, setTyped] = useState('')
  // Here, because the palette is closed by then.
  const signOut = useSignOut()

  function open() {
    // One dialog at a time.
    if (document.querySelector('[data-dialog]')) return
    setTyped('')
    setIsOpen(true)
  }
  useHotkeys([['mod+K', open]], [])
  // Until the field is there, what is typed is meant for it, wherever the focus still is.
  useWindowEvent('keydown', (event) => {
    if (!isOpen || !isLetter(event) || document.activeElement?.closest('[data-dialog]')) return
    event.preventDefault()
    setTyped((before) => before + event.key)
  })

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
      {isOpen && (
        <CommandPalette typed={typed} onType={setTyped} onSignOut={signOut} onClose={() => setIsOpen(false)} />
      )}
    </>
  )
}

/** Of what is typed, not of a shortcut or a key with a name. */
function isLetter({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return [...key].length === 1 && !ctrlKey && !metaKey && !altKey
}
