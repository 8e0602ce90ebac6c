import type { SearchHit } from '@atrium/contract/search.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { InlineFailure } from '@atrium/ui/failure.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinWithDots, numbersTogether } from '@atrium/ui/unbroken.ts'
import { Loader, TextInput, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDeviceLaptop, IconLicense, IconReceipt, IconRefresh, IconSearch, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './command-palette.module.css'
import { type Command, commandGroups, matching, nearest, unmatchedWords } from './commands.rules.ts'
import { addressOf, fewestCharacters, searchQuery } from './search.data.ts'
import { useCommands } from './use-commands.tsx'
import { useListbox } from './use-listbox.ts'

interface Props {
  /** Also what was typed before the palette was there. */
  typed: string
  onType(typed: string): void
  onSignOut(): void
  onClose(): void
}

/** Jumps to any tab, action, language or color scheme, and to what the customer has, by number, name or id. */
export function CommandPalette({ typed, onType, onSignOut, onClose }: Props) {
  const { t } = useTranslation('search')
  const labels = useGroupLabels()
  const commands = useCommands(onSignOut)
  const whole = useHits(typed)
  const found = [...matching(commands, typed, t('stopWords')), ...whole.hits]
  const isUnfound = found.length === 0 && whole.isAnswered
  const near = useNearest(commands, typed, isUnfound)
  const isSearching = whole.isSearching || near.isSearching
  const problem = whole.problem ?? near.problem
  const shown = [...found, ...near.found]
  const summary = near.found.length > 0 ? t('nearest') : t('found', { count: shown.length })
  const listbox = useListbox(
    t('title'),
    shown.map(({ key }) => key),
    run,
  )

  function run(key: string) {
    onClose()
    shown.find((command) => command.key === key)?.run()
  }

  return (
    <DialogFrame title={t('title')} width={600} isTall onClose={onClose}>
      <TextInput
        {...listbox.field}
        className={classes.input ?? ''}
        data-autofocus
        aria-label={t('placeholder')}
        placeholder={t('placeholder')}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
        rightSection={isSearching && <Loader size={16} />}
        maxLength={100}
      />
      <VisuallyHidden role="status">{isSearching ? t('searching') : summary}</VisuallyHidden>
      <div className={classes.results}>
        {problem && <InlineFailure problem={problem} isBeside />}
        {near.found.length > 0 && <p className={classes.near}>{t('nearest')}</p>}
        <div {...listbox.list} className={classes.options}>
          {commandGroups.map((group) => (
            <Group
              key={group}
              label={labels[group]}
              commands={shown.filter((one) => one.group === group)}
              optionOf={listbox.option}
            />
          ))}
        </div>
        {isUnfound && shown.length === 0 && !near.isSearching && !problem && (
          <p className={classes.none}>{t('none')}</p>
        )}
      </div>
    </DialogFrame>
  )
}

function useGroupLabels(): Record<Command['group'], string> {
  const { t } = useTranslation(['search', 'common'])
  return {
    tabs: t('search:groups.tabs'),
    actions: t('search:groups.actions'),
    language: t('common:language'),
    scheme: t('common:scheme.name'),
    orders: t('search:groups.orders'),
    subscriptions: t('search:groups.subscriptions'),
    licenses: t('search:groups.licenses'),
    devices: t('search:groups.devices'),
    users: t('search:groups.users'),
  }
}

interface GroupProps {
  label: string
  commands: readonly Command[]
  optionOf: ReturnType<typeof useListbox>['option']
}

function Group({ label, commands, optionOf }: GroupProps) {
  const id = useId()
  if (commands.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
    <div role="group" aria-labelledby={id}>
      <div className={classes.group} id={id}>
        {label}
      </div>
      {commands.map(({ key, label: text, lang, detail, icon }) => (
        <div key={key} {...optionOf(key)} className={classes.option} lang={lang}>
          {icon}
          <span>
            {text}
            {detail && <small>{detail}</small>}
          </span>
        </div>
      ))}
    </div>
  )
}

const hitIcons = {
  orders: IconReceipt,
  subscriptions: IconRefresh,
  licenses: IconLicense,
  devices: IconDeviceLaptop,
  users: IconUsers,
} as const

const hitGroups = ['orders', 'subscriptions', 'licenses', 'devices', 'users'] as const

/** What the server finds, a moment after the last letter. */
function useHits(typed: string) {
  const wanted = typed.trim()
  const isWanted = wanted.length >= fewestCharacters
  const [keyWord] = useDebouncedValue(wanted, 200)
  const { data, isFetching, error } = useQuery(searchQuery(keyWord))
  const navigate = useNavigate()
  const locale = useLocale()

  function commandOf(hit: SearchHit, group: (typeof hitGroups)[number]): Command {
    const Icon = hitIcons[group]
    // Orders, computers and users are known by their numbers, names and addresses, what was bought by its product.
    const isKnownByProduct = group === 'subscriptions' || group === 'licenses'
    const [label, detail] = isKnownByProduct ? [hit.name, hit.id] : [hit.id, hit.name]
    // As in their lists: a device was used at a moment, everything else has a day, which is one everywhere.
    const timeZone = group === 'devices' ? undefined : 'UTC'
    return {
      // The same computer has several products.
      key: `${hit.kind} ${hit.id} ${hit.place} ${hit.name} ${hit.date}`,
      group,
      label,
      detail: joinWithDots([numbersTogether(detail), formatDate(locale, new Date(hit.date), timeZone)]),
      icon: <Icon size={18} stroke={1.6} aria-hidden />,
      run: () => void navigate({ to: '/account', search: addressOf(hit) }),
    }
  }

  return {
    hits: data && isWanted ? hitGroups.flatMap((group) => data[group].map((hit) => commandOf(hit, group))) : [],
    isSearching: isWanted && (isFetching || keyWord !== wanted),
    isAnswered: !isWanted || data !== undefined || error !== null,
    problem: isWanted ? error : null,
  }
}

/** What is nearest when nothing matches every word: pages, and what the words that match no page find, together or else each. */
function useNearest(commands: readonly Command[], typed: string, isWanted: boolean) {
  const { t } = useTranslation('search')
  const rest = isWanted ? unmatchedWords(commands, typed, t('stopWords')) : ''
  const together = useHits(rest === typed.trim() ? '' : rest)
  const isNone = together.isAnswered && together.hits.length === 0
  const words = isNone && rest.includes(' ') ? rest.split(' ') : []
  // A name, and how somebody is addressed: more words are rarely names.
  const each = [useHits(words[0] ?? ''), useHits(words[1] ?? ''), useHits(words[2] ?? '')]
  const parts = [together, ...each]
  const pages = isWanted ? nearest(commands, typed, t('stopWords')) : []
  const found = [...pages, ...parts.flatMap(({ hits }) => hits)]
  return {
    // Two words may find the same.
    found: [...new Map(found.map((command) => [command.key, command])).values()],
    isSearching: parts.some(({ isSearching }) => isSearching),
    problem: parts.map(({ problem }) => problem).find((problem) => problem !== null) ?? null,
  }
}
