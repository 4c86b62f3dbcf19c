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
}

let active: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function setActive(next: readonly Shortcut[]): void {
  active = next
  for (const listener of listeners) listener()
}

/** Gives the screen a key while the component is there and `isOn`. The last one given wins. */
export function useShortcut({ key, mod = false, alt = false, label, run, isEverywhere = mod || alt }: Shortcut, isOn = true): void {
  const act = useEffectEvent(run)
  useEffect(() => {
    if (!isOn) return
    const shortcut: Shortcut = { key, mod, alt, label, isEverywhere, run: () => act() }
    setActive([...active, shortcut])
    return () => setActive(active.filter((one) => one !== shortcut))
  }, [key, mod, alt, label, isEverywhere, isOn])
}

/** The keys that work right now, for the overview. */
export function useActiveShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => active,
  )
}

/** Listens for the keys; once, around all screens. Answers how to stop. */
export function listenForShortcuts(): () => void {
  const press = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing || isPressingControl(event)) return
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable=true]') !== null
    const isInDialog = event.target instanceof HTMLElement && event.target.closest('[role=dialog]') !== null
    const shortcut = active.findLast((one) => fits(one, event) && (one.isEverywhere || !isTyping) && (one.isEverywhere || !isInDialog))
    if (shortcut === undefined) return
    event.preventDefault()
    shortcut.run()
  }
  document.addEventListener('keydown', press)
  return () => document.removeEventListener('keydown', press)
}

// A focused button answers to Space and Enter itself, and a link to Enter.
function isPressingControl(event: KeyboardEvent): boolean {
  if ((event.key !== 'Enter' && event.key !== ' ') || event.ctrlKey || event.metaKey || event.altKey) return false
  return event.target instanceof HTMLElement && event.target.closest(event.key === ' ' ? 'button, summary, input, [role=option]' : 'a[href], button, summary, [role=option]') !== null
}

function fits(shortcut: Shortcut, event: KeyboardEvent): boolean {
  // AltGr is reported as Ctrl+Alt and types letters in Polish: never a shortcut of ours.
  const isMod = (event.ctrlKey || event.metaKey) && !event.getModifierState('AltGraph')
  const isAlt = event.altKey && !event.getModifierState('AltGraph')
  return event.key.toLowerCase() === shortcut.key.toLowerCase() && isMod === (shortcut.mod ?? false) && isAlt === (shortcut.alt ?? false)
}

/** The keys as they are printed on the keyboard, `Ctrl` `K`. */
export function keysOf({ key, mod = false, alt = false }: Pick<Shortcut, 'key' | 'mod' | 'alt'>): string[] {
  const isMac = /mac|iphone|ipad/i.test(navigator.userAgent)
  const name = key === ' ' ? 'Space' : key.length === 1 ? key.toLocaleUpperCase() : key
  return [...(mod ? [isMac ? '⌘' : 'Ctrl'] : []), ...(alt ? [isMac ? '⌥' : 'Alt'] : []), name]
}
