import { Combobox, Modal, TextInput, useCombobox, useMantineColorScheme } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { LANGUAGES } from '@waybill/contract/errors'
import { fold } from '@waybill/contract/kit/text'
import type { Profile } from '@waybill/contract/session'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, loadTexts } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { useSteady } from '../../ui/fields/use-steady.ts'
import { useDensity } from '../../ui/page/density.ts'
import { Icon, type IconName } from '../../ui/marks/icon.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { createScreens } from '../guards.ts'
import type { Typed } from './early-typing.tsx'
import { useFoundRecords, useKinds, useTitledRecords, type FoundRecord } from './found-records.ts'
import classes from './palette.module.css'
import { readRecentRecords } from './recent-records.ts'
import { useMenu } from './use-menu.ts'
import { useSignOut } from './use-sign-out.ts'
import { useSpeak } from './use-speak.ts'

// Long enough for a typist's pause, short enough not to be felt.
const TYPING_MS = 150
// One letter finds half of everything.
const LEAST_LETTERS = 2

const GROUPS = ['recent', 'goTo', 'create', 'settings', 'find'] as const

interface Entry {
  key: string
  group: (typeof GROUPS)[number]
  icon: IconName
  label: string
  note?: string
  /** Other words that people call it by */
  alias?: string
  run: () => void
}

interface PaletteProps {
  person: Profile
  /** What was typed while this code was on its way */
  readTyped: () => Typed
  /** Puts the focus where it was before this was opened */
  giveFocusBack: () => void
  onClose: () => void
  onHelp: () => void
}

/** Go to, find, create, and what one sets for oneself, by typing a few letters of it. */
export function Palette({ isOpen, ...body }: PaletteProps & { isOpen: boolean }) {
  const { t } = useTranslation('shell')
  // Without a transition, so that typing on at once loses no letter.
  return (
    <Modal.Root
      opened={isOpen}
      onClose={body.onClose}
      size={600}
      yOffset="10vh"
      radius="lg"
      shadow="xl"
      transitionProps={{ duration: 0 }}
      returnFocus={false}
      classNames={{ content: classes.palette }}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={t('palette.title')}>
        <PaletteBody {...body} />
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ person, readTyped, giveFocusBack, onClose, onHelp }: PaletteProps) {
  const { t } = useTranslation('shell')
  const { t: tCommon } = useTranslation()
  const [begun] = useState(readTyped)
  const [typed, setTyped] = useState(begun.text)
  const input = useRef<HTMLInputElement>(null)
  // Before the next key is typed; Mantine's way comes a moment later.
  const leave = useEffectEvent(giveFocusBack)
  useLayoutEffect(() => {
    input.current?.focus()
    return () => leave()
  }, [])
  const text = typed.trim()
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const combobox = useCombobox({ opened: true })
  const kinds = useKinds()
  const router = useRouter()
  // The record that is open is no place to go to.
  const [recent] = useState(() =>
    readRecentRecords(person.id).filter((one) => router.state.location.pathname !== `/${one.path}/${one.id}/edit`),
  )
  const recentRecords = useTitledRecords(kinds, recent)
  const q = text.length < LEAST_LETTERS ? '' : settled
  const found = useFoundRecords(kinds, q)
  const commands = useCommands(person, onHelp)
  const recordEntry = useRecordEntry()
  const searches = useSearches(kinds, text)

  const entriesNow = (): Entry[] => {
    if (text === '')
      return [
        ...recentRecords.map((record) => recordEntry(record, 'recent')),
        ...commands.filter((one) => one.group !== 'settings'),
      ]
    const isRecent = (record: FoundRecord) => recentRecords.some((one) => one.to === record.to)
    const records = q === text ? found.records : []
    const groupOf = (record: FoundRecord) => (isRecent(record) ? 'recent' : 'find')
    const isExact = (record: FoundRecord) => fold(record.title) === fold(text)
    const [first, ...others] = searches
    // Enter right after typing opens all hits at once; only a number that is typed out goes before.
    return [
      ...commands.filter((one) => fits(one, text)),
      ...records.filter(isExact).map((record) => recordEntry(record, groupOf(record))),
      ...(first === undefined ? [] : [first]),
      ...records.filter((record) => !isExact(record)).map((record) => recordEntry(record, groupOf(record))),
      ...others.filter((one) => records.some((record) => one.key === searchKey(record.kind))),
    ]
  }
  const entries = useSteady(entriesNow(), true)
  const groups = GROUPS.map((group) => ({ group, entries: entries.filter((one) => one.group === group) })).filter(
    (one) => one.entries.length > 0,
  )

  // Enter takes what stands first, until the arrows say otherwise.
  const first = groups[0]?.entries[0]?.key
  const mark = useEffectEvent(() =>
    first === undefined ? combobox.resetSelectedOption() : combobox.selectFirstOption(),
  )
  useEffect(() => {
    mark()
  }, [first, text])
  const enter = useEffectEvent(() => combobox.clickSelectedOption())
  useEffect(() => {
    if (begun.isEntered) enter()
  }, [begun])

  const choose = (key: string) => {
    onClose()
    entries.find((one) => one.key === key)?.run()
  }
  const press = (event: KeyboardEvent) => {
    // The key may be quicker than the mark.
    if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1) combobox.selectFirstOption()
    if (event.key !== 'Escape') return
    event.stopPropagation()
    onClose()
  }
  const isWaiting = text.length >= LEAST_LETTERS && (q !== text || found.isPending)
  return (
    <Combobox store={combobox} onOptionSubmit={choose}>
      <div className={classes.field}>
        <Icon name={isWaiting ? 'spinner' : 'search'} {...(isWaiting ? { className: classes.spinner } : {})} />
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            className={classes.typing}
            classNames={{ input: classes.input }}
            aria-label={t('palette.title')}
            placeholder={t('palette.placeholder')}
            value={typed}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="go"
            ref={input}
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={press}
          />
        </Combobox.EventsTarget>
        <button type="button" className={classes.close} onClick={onClose} aria-label={tCommon('close')}>
          <KeyHint>Esc</KeyHint>
        </button>
      </div>
      <Combobox.Options className={classes.options} aria-label={t('palette.title')}>
        {groups.map(({ group, entries: ofGroup }) => (
          <Combobox.Group key={group} label={t(`palette.group.${group}`)} classNames={{ groupLabel: classes.heading }}>
            {ofGroup.map((entry) => (
              <Combobox.Option key={entry.key} value={entry.key} className={classes.option}>
                <Icon name={entry.icon} />
                <span className={classes.label}>{entry.label}</span>
                {entry.note === undefined ? null : <span className={classes.note}>{entry.note}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      <p className={classes.state} role="status">
        {found.isFailed
          ? t('palette.failed')
          : entries.length === 0 && !isWaiting
            ? t('palette.nothing', { text })
            : ''}
      </p>
    </Combobox>
  )
}

/** Every word typed begins a word of the entry, or of what people call it besides. */
function fits({ label, note = '', alias = '' }: Entry, text: string): boolean {
  const words = fold(`${label} ${note} ${alias}`).split(/\s+/)
  return fold(text)
    .split(/\s+/)
    .every((typed) => words.some((word) => word.startsWith(typed)))
}

function useRecordEntry() {
  const { t } = useTranslation('shell')
  const router = useRouter()
  return ({ id, kind, kindKey, icon, title, note, to }: FoundRecord, group: Entry['group']): Entry => ({
    key: `${group} ${kind} ${id}`,
    group,
    icon,
    label: title,
    note: note !== '' ? note : t(kindKey === undefined ? `palette.kind.${kind}` : kindKey),
    run: () => void router.navigate({ to }),
  })
}

const searchKey = (kind: string): string => `search ${kind}`

/** The way to all hits, in the lists themselves. */
function useSearches(kinds: ReturnType<typeof useKinds>, text: string): readonly Entry[] {
  const { t } = useTranslation('shell')
  const router = useRouter()
  const { links } = useMenu()
  if (text.length < LEAST_LETTERS) return []
  return kinds.map(({ api, list }): Entry => {
    const labelKey = links.find((link) => link.to === list && link.search === undefined)?.labelKey
    return {
      key: searchKey(api.path),
      group: 'find',
      icon: 'search',
      label: t('palette.search', { text }),
      ...(labelKey === undefined ? {} : { note: t(labelKey) }),
      run: () => void router.navigate({ to: list, search: { q: text } as never }),
    }
  })
}

/** What can be done from everywhere: the screens one may open, what one may create, and one's own settings. */
function useCommands(person: Profile, onHelp: () => void): readonly Entry[] {
  const { t } = useTranslation('shell')
  const router = useRouter()
  const { links } = useMenu()
  const signOut = useSignOut()
  const speak = useSpeak()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const [density, setDensity] = useDensity()
  const creations = createScreens(router.routeTree)
  useTexts(creations.map(({ titleKey }) => titleKey.split(':')[0]!))
  const profile = '/profile/$id/edit'
  // What people call the records of a list besides.
  const wordsOf = (to: string) => t(`palette.words.${to.split('/')[1]}`, { defaultValue: '' })
  const language = currentLanguage()
  return [
    ...links.map(
      (link): Entry => ({
        key: link.labelKey,
        group: 'goTo',
        icon: link.icon,
        label: t(link.labelKey),
        alias: wordsOf(link.to),
        run: () => void router.navigate({ to: link.to, search: (link.search ?? {}) as never }),
      }),
    ),
    ...(profile in router.routesByPath
      ? [
          {
            key: 'profile',
            group: 'goTo' as const,
            icon: 'user' as const,
            label: t('palette.profile'),
            run: () => void router.navigate({ to: profile as string, params: { id: String(person.id) } as never }),
          },
        ]
      : []),
    ...creations.map(
      ({ to, titleKey }): Entry => ({
        key: to,
        group: 'create',
        icon: 'plus',
        label: t(titleKey),
        alias: `${t('palette.createWords')} ${wordsOf(to)}`,
        run: () => void router.navigate({ to }),
      }),
    ),
    ...LANGUAGES.filter((one) => one !== language).map(
      (one): Entry => ({
        key: `language ${one}`,
        group: 'settings',
        icon: 'globe',
        label: LANGUAGE_NAMES[one],
        note: t('account.language'),
        alias: LANGUAGE_WORDS,
        run: () => speak(one),
      }),
    ),
    ...(['auto', 'light', 'dark'] as const)
      .filter((one) => one !== colorScheme)
      .map(
        (one): Entry => ({
          key: `look ${one}`,
          group: 'settings',
          icon: 'eye',
          label: t(`account.${one}`),
          note: t('account.look'),
          alias: t('palette.lookWords'),
          run: () => setColorScheme(one),
        }),
      ),
    ...(['compact', 'normal'] as const)
      .filter((one) => one !== density)
      .map(
        (one): Entry => ({
          key: `density ${one}`,
          group: 'settings',
          icon: 'rows',
          label: t(`account.${one}`),
          note: t('account.rows'),
          run: () => setDensity(one),
        }),
      ),
    { key: 'shortcuts', group: 'settings', icon: 'help', label: t('shortcuts.title'), run: onHelp },
    { key: 'sign-out', group: 'settings', icon: 'lock', label: t('account.signOut'), run: () => void signOut() },
  ]
}

// A person who is in the wrong language looks for the word in their own.
const LANGUAGE_WORDS = 'language Sprache język'

/** The titles of screens that were not opened yet. */
function useTexts(namespaces: readonly string[]): void {
  const [, setLoaded] = useState(false)
  const names = namespaces.join(' ')
  useEffect(() => {
    let isHere = true
    void loadTexts(...names.split(' ').filter(Boolean)).then(() => isHere && setLoaded(true))
    return () => {
      isHere = false
    }
  }, [names])
}
