import { BrandMark } from '@atrium/ui/brand-mark.tsx'
import { useDialogHistory } from '@atrium/ui/use-dialog-history.ts'
import { useReturnFocus } from '@atrium/ui/use-return-focus.ts'
import { Drawer } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../page/page-data.ts'
import type { Tab } from '../page/tab.ts'
import classes from './menu-drawer.module.css'
import { SideMenu } from './side-menu.tsx'

interface Props {
  tab: Tab
  onClose(): void
}

/** The side menu of a phone. Mounted to open. */
export function MenuDrawer({ tab, onClose }: Props) {
  const { t } = useTranslation('frame')
  const { settings } = usePage()
  useReturnFocus()
  useDialogHistory({ mayLeave: () => true, close: onClose })

  return (
    <Drawer.Root
      opened
      onClose={onClose}
      size={300}
      lockScroll={false}
      returnFocus={false}
      transitionProps={{ duration: 120 }}
      data-dialog
    >
      <Drawer.Overlay />
      <Drawer.Content classNames={{ content: classes.drawer ?? '' }} aria-label={t('menu.name')}>
        <div className={classes.head}>
          <BrandMark name={settings.brandName} />
          <Drawer.CloseButton aria-label={t('menu.close')} size="lg" />
        </div>
        <SideMenu tab={tab} isWide isDrawer onOpened={onClose} />
      </Drawer.Content>
    </Drawer.Root>
  )
}
