import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'

/** A key that does something on this screen. `key` is the event's key; `mod` is Ctrl, on a Mac Cmd. */
export interface Shortcut {
  key: string
  mod?: boolean
  alt?: boolean
  /** What it does, in the person's language, for the overview */
  label: string
  run: () => void
  /** Works while typing in a field too; by default only what has Ctrl or Alt does. */
  isEverywhere?: boolean
  /** The frame's own, the same on all screens: it gives way where a screen uses the same key. */
  isOfFrame?: boolean
}

let active: readonly Shortcut[] = []
let hinted: readonly (readonly KeyHint[])[] = []
const listeners = new Set<() => void>()

function setActive(next: readonly Shortcut[]): void {
  active = next
  tellAll()
}

function tellAll(): void {
  inForce = null
  for (const listener of listeners) listener()
}

/** Gives the screen a key while the component is there and `isOn`. The last one given wins. */
export function useShortcut(
  { key, mod = false, alt = false, label, run, isEverywhere = mod || alt, isOfFrame = false }: Shortcut,
  isOn = true,
): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!isOn) return
    const shortcut: Shortcut = { key, mod, alt, label, isEverywhere, isOfFrame, run: () => act() }
    setActive(isOfFrame ? [shortcut, ...active] : [...active, shortcut])
    return () => setActive(active.filter((one) => one !== shortcut))
  }, [key, mod, alt, label, isEverywhere, isOfFrame, isOn])
}

/** A key that a widget hears itself, because it means something only there; for the overview alone. */
export type KeyHint = Pick<Shortcut, 'key' | 'mod' | 'alt' | 'label'>

/**
 * Names the widget's own keys in the overview while it is there. `hints` must stay the
 * same object between two drawings.
 */
export function useKeyHints(hints: readonly KeyHint[], isOn = true): void {
  useEffect(() => {
    if (!isOn) return
    hinted = [...hinted, hints]
    tellAll()
    return () => {
      hinted = hinted.filter((one) => one !== hints)
      tellAll()
    }
  }, [hints, isOn])
}

/** The keys that work right now: the screen's own, and those of the frame that no screen's own stands before. */
export function useActiveKeys(): { ofScreen: readonly KeyHint[]; ofFrame: readonly KeyHint[] } {
  return useSyncExternalStore(subscribe, keysInForce)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

let inForce: { ofScreen: readonly KeyHint[]; ofFrame: readonly KeyHint[] } | null = null

function keysInForce() {
  inForce ??= {
    ofScreen: withoutRepeats([
      ...active.filter((one, place) => !one.isOfFrame && isLastOfItsKey(one, place)),
      ...hinted.flat(),
    ]),
    ofFrame: active.filter((one, place) => one.isOfFrame && isLastOfItsKey(one, place)),
  }
  return inForce
}

const isLastOfItsKey = (one: Shortcut, place: number): boolean =>
  !active.slice(place + 1).some((later) => keyOf(later) === keyOf(one))
const keyOf = ({ key, mod = false, alt = false }: KeyHint): string => `${mod} ${alt} ${key.toLowerCase()}`

// Two grids on one screen hear the same keys.
const withoutRepeats = (hints: readonly KeyHint[]): KeyHint[] =>
  hints.filter(
    (one, place) => hints.findIndex((other) => keyOf(other) === keyOf(one) && other.label === one.label) === place,
  )

/** Listens for the keys; once, around all screens. Answers how to stop. */
export function listenForShortcuts(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isPressingControl(event)) return
    const isTyping =
      event.target instanceof HTMLElement &&
      event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]') !==
        null
    const isInDialog = event.target instanceof HTMLElement && event.target.closest('[role=dialog]') !== null
    const shortcut = active.findLast(
      (one) => fits(one, event) && (one.isEverywhere || !isTyping) && (one.isEverywhere || !isInDialog),
    )
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.run()
  }
  // Every list opens on Alt and an arrow, one without a search on Ctrl and Enter too: a screen that has given them a
  // meaning comes before.
  const pressBefore = (event: KeyboardEvent) => {
    const opensList = event.key === 'Enter' ? isOnClosedList(event) : event.altKey && event.key.startsWith('Arrow')
    if (!opensList) return
    press(event)
    if (event.defaultPrevented) event.stopPropagation()
  }
  document.addEventListener('keydown', pressBefore, true)
  document.addEventListener('keydown', press)
  return () => {
    document.removeEventListener('keydown', pressBefore, true)
    document.removeEventListener('keydown', press)
  }
}

const isOnClosedList = ({ ctrlKey, metaKey, target }: KeyboardEvent): boolean =>
  (ctrlKey || metaKey) &&
  target instanceof HTMLElement &&
  target.matches('input[readonly][aria-haspopup=listbox]:not([aria-expanded=true])')

// A focused button answers to Space and Enter itself, and a link to Enter.
function isPressingControl(event: KeyboardEvent): boolean {
  if ((event.key !== 'Enter' && event.key !== ' ') || event.ctrlKey || event.metaKey || event.altKey) return false
  return (
    event.target instanceof HTMLElement &&
    event.target.closest(
      event.key === ' ' ? 'button, summary, input, [role=option]' : 'a[href], button, summary, [role=option]',
    ) !== null
  )
}

function fits(shortcut: Shortcut, event: KeyboardEvent): boolean {
  // AltGr is reported as Ctrl+Alt and types letters in Polish: never a shortcut of ours.
  const isMod = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
  const isAlt = event.altKey && !event.getModifierState('AltGraph')
  return (
    event.key.toLowerCase() === shortcut.key.toLowerCase() &&
    isMod === (shortcut.mod ?? false) &&
    isAlt === (shortcut.alt ?? false)
  )
}

/** The keys as they are printed on the keyboard, `Ctrl` `K`. */
export function keysOf({ key, mod = false, alt = false }: Pick<Shortcut, 'key' | 'mod' | 'alt'>): string[] {
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLocaleUpperCase() : key
  return [...(mod ? [isMac ? '⌘' : 'Ctrl'] : []), ...(alt ? [isMac ? '⌥' : 'Alt'] : []), name]
}
