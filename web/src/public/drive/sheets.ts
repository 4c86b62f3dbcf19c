import { localOf } from '@waybill/contract/kit/local-time'
import type { DrivenStop, Position, TimeTold } from '@waybill/contract/public/driver-link'
import { element } from '../shell/element.ts'
import { readKept, writeKept } from '../shell/words.ts'
import type { Words } from './drive-words.ts'
import { momentTold } from './steps.ts'
import { nameOf } from './stop-view.ts'

const PLACE_CHOSEN = 'waybill-drive-place'
const POSITION_MS = 6_000

interface Sheet {
  heading: string
  words: Words
  inside: Node[]
  confirm: string
  /** All is filled as it mostly is: the button has the focus, and no keyboard covers the page. */
  isReady?: boolean
  /** False keeps it open. */
  onConfirm: () => boolean | Promise<boolean>
}

/** A window over the page, with one button that tells something and one that does not. */
export function openSheet({ heading, words, inside, confirm, isReady = false, onConfirm }: Sheet): HTMLDialogElement {
  const button = element('button', { type: 'submit', class: 'btn main' }, confirm)
  const dialog: HTMLDialogElement = element(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'sheet-heading' },
    element(
      'form',
      {
        novalidate: true,
        onsubmit: async (event) => {
          event.preventDefault()
          button.disabled = true
          if (await onConfirm()) dialog.close()
          button.disabled = false
        },
      },
      element('h2', { id: 'sheet-heading' }, heading),
      ...inside,
      element(
        'div',
        { class: 'two' },
        element('button', { type: 'button', class: 'btn', onclick: () => dialog.close() }, words.t('cancel')),
        button,
      ),
    ),
  )
  const before = document.activeElement?.id
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (before) document.getElementById(before)?.focus()
  })
  document.body.append(dialog)
  dialog.showModal()
  if (isReady) button.focus()
  return dialog
}

/** A field with its label; `fault` says beside it what is missing. */
export function fieldView(label: string, input: HTMLInputElement | HTMLTextAreaElement) {
  const fault = element('p', { id: `${input.id}-fault`, class: 'fault', role: 'alert' })
  input.setAttribute('aria-describedby', fault.id)
  const root = element('div', { class: 'field' }, element('label', { for: input.id }, label), input, fault)
  return {
    root,
    fail(text: string): false {
      fault.textContent = text
      input.setAttribute('aria-invalid', 'true')
      input.focus()
      return false
    },
  }
}

/** Where the telephone is; null where it does not say, or not soon. */
const positionNow = (): Promise<Position | null> =>
  new Promise((resolve) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) =>
        resolve({ latitude, longitude, accuracyM: Math.min(100_000, Math.round(accuracy)) }),
      () => resolve(null),
      { timeout: POSITION_MS, maximumAge: 60_000, enableHighAccuracy: true },
    ),
  )

interface TimeSheet {
  step: TimeTold
  stop: DrivenStop
  words: Words
  /** the moment, by a clock that is right */
  now: Date
  onTell: (told: { at: string; position: Position | null }) => void
}

/** Asks when a step was done: now, unless the driver says otherwise; and whether the place may be told. */
export function askTime({ step, stop, words, now, onTell }: TimeSheet): void {
  const { t } = words
  const { timeZone } = stop
  const local = localOf(now, timeZone)
  const proposed = `${local.date}T${local.time}`
  const when = element('input', { id: 'sheet-when', type: 'datetime-local', value: proposed })
  const field = fieldView(t('when'), when)
  const place = element('input', { id: 'sheet-place', type: 'checkbox' })
  place.checked = readKept(PLACE_CHOSEN) !== null
  openSheet({
    heading: t(`${step}At`, { place: nameOf(stop, words) }),
    words,
    confirm: t(`${step}Step`),
    isReady: true,
    inside: [
      field.root,
      element('p', { class: 'dim hint' }, t('localTimes')),
      ...('geolocation' in navigator
        ? [element('label', { class: 'check', for: place.id }, place, element('span', {}, t('tellPlace')))]
        : []),
    ],
    async onConfirm() {
      const [date, time] = when.value.split('T')
      if (!date || !time) return field.fail(t('whenMissing'))
      const told =
        when.value === proposed
          ? { at: now.toISOString() }
          : momentTold({ date, time: time.slice(0, 5) }, { timeZone, now })
      if ('fault' in told) return field.fail(t(told.fault, 'around' in told ? told.around : {}))
      writeKept(PLACE_CHOSEN, place.checked ? 'yes' : null)
      onTell({ at: told.at, position: place.checked ? await positionNow() : null })
      return true
    },
  })
}

interface WordsSheet {
  kind: 'remark' | 'damage'
  stop: DrivenStop
  words: Words
  onTell: (text: string) => void
}

/** Asks for a remark, or what is damaged. */
export function askWords({ kind, stop, words, onTell }: WordsSheet): void {
  const { t } = words
  const text = element('textarea', { id: 'sheet-text', rows: 4, maxlength: 1000 })
  const field = fieldView(t(kind === 'damage' ? 'damageWords' : 'remarkWords'), text)
  // The page may be dropped while it is written: the words are there again until they are told or given up.
  const kept = `waybill-drive-words-${stop.id}-${kind}`
  text.value = readKept(kept) ?? ''
  text.addEventListener('input', () => writeKept(kept, text.value || null))
  const sheet = openSheet({
    heading: `${t(kind)} · ${nameOf(stop, words)}`,
    words,
    confirm: t('tell'),
    inside: [field.root, ...(kind === 'damage' ? [element('p', { class: 'dim hint' }, t('damageHint'))] : [])],
    onConfirm() {
      if (text.value.trim() === '') return field.fail(t('textMissing'))
      onTell(text.value.trim())
      return true
    },
  })
  sheet.addEventListener('close', () => writeKept(kept, null))
}
