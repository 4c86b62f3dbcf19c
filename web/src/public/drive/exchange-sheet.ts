import type { Reference } from '@waybill/contract/kit/fields'
import { isDamagedAmong, isMoved, MOST_PIECES, type ExchangedPieces } from '@waybill/contract/pieces/pieces'
import type { DrivenStop, ToldExchange } from '@waybill/contract/public/driver-link'
import { element } from '../shell/element.ts'
import { readKept, writeKept } from '../shell/words.ts'
import type { Words } from './drive-words.ts'
import { fieldView, openSheet } from './sheets.ts'
import { nameOf } from './stop-view.ts'

interface ExchangeSheet {
  stop: DrivenStop
  types: readonly Reference[]
  /** what was told before; null: nothing yet */
  before: ToldExchange | null
  words: Words
  onTell: (exchange: ToldExchange) => void
}

const FIELDS = ['given', 'received', 'damaged'] as const

/** Asks how many load carriers were left at a stop and taken along, by type. */
export function askExchange({ stop, types, before, words, onTell }: ExchangeSheet): void {
  const { t } = words
  // The page may be dropped while it is filled in: the figures are there again until they are told or given up.
  const kept = `waybill-drive-exchange-${stop.id}`
  const typed: ToldExchange = parsed(readKept(kept)) ?? before ?? { noteNumber: null, lines: [] }
  const note = element('input', { id: 'sheet-note', type: 'text', maxlength: 50, autocomplete: 'off' })
  note.value = typed.noteNumber ?? ''
  const none = element('input', { id: 'sheet-none', type: 'checkbox' })
  none.checked = before !== null && before.lines.length === 0
  const keep = () => {
    const told = read()
    if (told.lines.length > 0) none.checked = false
    writeKept(kept, JSON.stringify(told))
  }
  note.addEventListener('input', keep)
  const parts = types.map(({ id, title }, place) => {
    const line = typed.lines.find(({ typeId }) => typeId === id)
    return typeView({ typeId: id, title, line, isOpen: place === 0 || line !== undefined, words, onChange: keep })
  })
  const read = (): ToldExchange => ({
    noteNumber: note.value.trim() || null,
    lines: parts.map((part) => part.read()).filter((line) => isMoved(line) || line.damaged > 0),
  })
  const fault = element('p', { class: 'fault', role: 'alert' })
  const sheet = openSheet({
    heading: `${t('loadCarriers')} · ${nameOf(stop, words)}`,
    words,
    confirm: t('tell'),
    inside: [
      ...parts.map(({ root }) => root),
      fieldView(t('noteNumber'), note).root,
      element('label', { class: 'check', for: none.id }, none, element('span', {}, t('nothingExchanged'))),
      element('p', { class: 'dim hint' }, t('palletsHint')),
      fault,
    ],
    onConfirm() {
      const told = read()
      const wrong = parts.find((part) => !isDamagedAmong(part.read()))
      if (wrong !== undefined) return wrong.fail(t('damagedMore'))
      if (told.lines.length === 0 && !none.checked) return failed(t('piecesMissing'), none)
      if (told.lines.length > 0 && none.checked) return failed(t('piecesAndNone'), none)
      onTell(told)
      return true
    },
  })
  const failed = (text: string, field: HTMLElement): false => {
    fault.textContent = text
    field.focus()
    return false
  }
  sheet.addEventListener('close', () => writeKept(kept, null))
}

function parsed(text: string | null): ToldExchange | null {
  return text === null ? null : (JSON.parse(text) as ToldExchange)
}

interface TypeShown {
  typeId: number
  title: string
  line: ExchangedPieces | undefined
  isOpen: boolean
  words: Words
  onChange: () => void
}

/** One type: what was left, what was taken along, and how many of these are damaged. */
function typeView({ typeId, title, line, isOpen, words: { t }, onChange }: TypeShown) {
  const fault = element('p', { class: 'fault', role: 'alert' })
  const counters = FIELDS.map((field) => {
    const label = t(`${field}Pieces`)
    return { field, ...counterView({ id: `${field}-${typeId}`, label, title, value: line?.[field] ?? 0, t, onChange }) }
  })
  const counterOf = (wanted: (typeof FIELDS)[number]) => counters.find(({ field }) => field === wanted)!
  const [given, received] = [counterOf('given'), counterOf('received')]
  const root = element(
    'details',
    { class: 'pieces', open: isOpen },
    element('summary', {}, title),
    ...counters.slice(0, 2).map((one) => one.root),
    // As it was drawn up everywhere: as many as came were given back.
    element(
      'button',
      {
        type: 'button',
        class: 'btn small',
        onclick: () => {
          const most = Math.max(given.read(), received.read())
          given.write(most)
          received.write(most)
        },
      },
      t('asMany'),
    ),
    counterOf('damaged').root,
    fault,
  )
  return {
    root,
    read: (): ExchangedPieces => ({
      typeId,
      given: given.read(),
      received: received.read(),
      damaged: counterOf('damaged').read(),
    }),
    fail(text: string): false {
      root.open = true
      fault.textContent = text
      counterOf('damaged').focus()
      return false
    },
  }
}

interface Counter {
  id: string
  label: string
  /** of the type */
  title: string
  value: number
  t: Words['t']
  onChange: () => void
}

/** A number with a button for one less and one more, large enough for gloves. */
function counterView({ id, label, title, value, t, onChange }: Counter) {
  const input = element('input', {
    id,
    type: 'text',
    inputmode: 'numeric',
    autocomplete: 'off',
    maxlength: 5,
    value: String(value),
  })
  const read = (): number => Math.min(MOST_PIECES, Number(input.value.replace(/\D/g, '')))
  const write = (next: number) => {
    input.value = String(Math.max(0, Math.min(MOST_PIECES, next)))
    onChange()
  }
  input.addEventListener('focus', () => input.select())
  input.addEventListener('input', onChange)
  input.addEventListener('blur', () => (input.value = String(read())))
  const step = (sign: string, name: 'oneLess' | 'oneMore', by: number) =>
    element(
      'button',
      {
        type: 'button',
        class: 'btn',
        'aria-label': t(name, { what: `${title}, ${label}` }),
        onclick: () => write(read() + by),
      },
      sign,
    )
  return {
    root: element(
      'div',
      { class: 'counter' },
      element('label', { for: id }, label, element('span', { class: 'unseen' }, ` ${title}`)),
      step('−', 'oneLess', -1),
      input,
      step('+', 'oneMore', 1),
    ),
    read,
    write,
    focus: () => input.focus(),
  }
}
