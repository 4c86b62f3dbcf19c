/*
 * Keys that are pressed between asking for a window and its standing there belong to the window: the page below does
 * not hear them, and none is lost.
 */

let waiting = 0
let held: KeyboardEvent[] = []

const EDITING = ['Tab', 'Enter', 'Backspace', 'Escape']

function isForWindow(event: KeyboardEvent): boolean {
  if (event.isComposing) return false
  // AltGr types letters and is reported as Ctrl and Alt.
  const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  if (isChord) return event.key === 'Enter' && !event.altKey
  return event.key.length === 1 || EDITING.includes(event.key)
}

function hold(event: KeyboardEvent): void {
  if (!event.isTrusted || !isForWindow(event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  // The key that asked for the window may still be down.
  if (!event.repeat) held.push(event)
}

function begin(): void {
  waiting += 1
  if (waiting === 1) window.addEventListener('keydown', hold, true)
}

function end(): void {
  waiting -= 1
  if (waiting > 0) return
  window.removeEventListener('keydown', hold, true)
  held = []
}

/** Holds back what is pressed from now on. Answers how to stop; a window that has come by then has the keys first. */
export function holdKeys(): () => void {
  begin()
  return () => setTimeout(end)
}

/** Presses the keys that were held in what has the focus within `form`, once all around it stands. */
export function releaseKeys(form: HTMLElement): void {
  if (waiting === 0) return
  begin()
  setTimeout(() => {
    for (const key of held.splice(0)) press(key, form)
    end()
  })
}

/** What a browser does with a key, as far as a form needs it: one that a script sends does nothing by itself. */
function press(key: KeyboardEvent, form: HTMLElement): void {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement : form
  const { key: name, code, shiftKey, ctrlKey, metaKey } = key
  const again = new KeyboardEvent('keydown', {
    key: name,
    code,
    shiftKey,
    ctrlKey,
    metaKey,
    bubbles: true,
    cancelable: true,
  })
  if (!focused.dispatchEvent(again)) return
  const isTicked = focused.matches('[type=checkbox], [type=radio]')
  const isText = !isTicked && focused.matches('input, textarea')
  if (name === 'Tab') focusBeside(focused, form, shiftKey ? -1 : 1)
  else if (name === 'Enter' && focused instanceof HTMLTextAreaElement) insert('\n')
  else if (name === ' ' && isTicked) focused.click()
  else if (name === 'Enter' || (name === ' ' && !isText)) {
    if (focused instanceof HTMLButtonElement) focused.click()
    else if (name === 'Enter') focused.closest('form')?.requestSubmit()
  } else if (name === 'Backspace') document.execCommand('delete')
  else if (name.length === 1 && isText) insert(name)
}

// The one way to type as a hand does, with all that the field hears.
const insert = (text: string) => document.execCommand('insertText', false, text)

const FIELDS = 'input, select, textarea, button, a[href], [tabindex]'

function focusBeside(focused: HTMLElement, form: HTMLElement, step: number): void {
  const fields = [...form.querySelectorAll<HTMLElement>(FIELDS)].filter(
    (field) => field.tabIndex >= 0 && !field.matches(':disabled') && field.offsetParent !== null,
  )
  fields[fields.indexOf(focused) + step]?.focus()
}
