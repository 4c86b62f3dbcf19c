import type { Line, RichText } from '@waybill/contract/kit/rich-text'

/** A key, or what was pasted, that waits for the editor of its text. */
export type Ahead = { key: string; shiftKey: boolean } | { pasted: string }

interface Pressed {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
  altKey: boolean
  getModifierState: (name: 'AltGraph') => boolean
}

/** What a key writes, or null where it writes nothing: a chord, an arrow, Tab, Escape. */
export function aheadOf(event: Pressed): Ahead | null {
  const { key, shiftKey } = event
  // AltGr types letters and is reported as Ctrl and Alt.
  const isChord = (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
  return !isChord && (key.length === 1 || key === 'Enter' || key === 'Backspace') ? { key, shiftKey } : null
}

const LETTERS = new Intl.Segmenter()

/** Text and keys in one: what stands there once all were pressed, in lines. */
function typedLines(typed: readonly Ahead[], isLine: boolean): string[] {
  let all: string[] = []
  for (const one of typed) {
    if ('pasted' in one)
      all.push(...[...LETTERS.segment(one.pasted.replaceAll('\r', ''))].map(({ segment }) => segment))
    else if (one.key === 'Backspace') all = all.slice(0, -1)
    else all.push(one.key === 'Enter' ? '\n' : one.key)
  }
  const lines = all.join('').split('\n')
  return isLine ? [lines.join(' ')] : lines
}

/**
 * The text with what was typed at its end, for a text that is left before its editor has come. A Backspace takes what
 * was typed alone.
 */
export function withTyped<Text extends Line | RichText>(text: Text, typed: readonly Ahead[], isLine: boolean): Text {
  const [first, ...more] = typedLines(typed, isLine)
  const nodes = (words: string) => (words === '' ? [] : [{ type: 'text' as const, text: words }])
  if (isLine) return [...text, ...nodes(first!)] as Text
  const running = text as RichText
  const last = running.at(-1)
  const opened =
    last?.type === 'paragraph'
      ? [...running.slice(0, -1), { ...last, content: [...(last.content ?? []), ...nodes(first!)] }]
      : [...running, { type: 'paragraph' as const, content: nodes(first!) }]
  return [...opened, ...more.map((words) => ({ type: 'paragraph' as const, content: nodes(words) }))] as Text
}
