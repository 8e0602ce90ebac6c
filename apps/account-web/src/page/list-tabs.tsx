import { TabStrip } from '@atrium/ui/tab-strip.tsx'
import { Tabs } from '@mantine/core'
import { IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Hint } from './hint.tsx'
import classes from './list-tabs.module.css'

type List = 'online' | 'offline'

interface Props {
  list: List
  labels: Readonly<Record<List, string>>
  /** What the offline list has. */
  offlineHint: string
  onOpen(list: List): void
  /** The open list. */
  children: ReactNode
}

/** What was bought online, and what the vendor's sales partners sold: two lists of one page. */
export function ListTabs({ list, labels, offlineHint, onOpen, children }: Props) {
  return (
    <Tabs
      value={list}
      onChange={(wanted) => onOpen(wanted === 'offline' ? wanted : 'online')}
      keepMounted={false}
      classNames={{ tab: classes.tab ?? '' }}
    >
      <TabStrip shown={list}>
        <Tabs.Tab value="online">{labels.online}</Tabs.Tab>
        <Hint label={offlineHint} multiline w={280}>
          <Tabs.Tab value="offline" rightSection={<IconInfoCircle size={16} stroke={1.6} aria-hidden />}>
            {labels.offline}
          </Tabs.Tab>
        </Hint>
      </TabStrip>
      <Tabs.Panel value={list} pt="md">
        {list === 'offline' && <p className={classes.touchNote}>{offlineHint}</p>}
        {children}
      </Tabs.Panel>
    </Tabs>
  )
}
