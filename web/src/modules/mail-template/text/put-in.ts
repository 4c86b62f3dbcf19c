import { Selection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import type { Ahead } from './typed-ahead.ts'

/**
 * What the editor would have done with a key, or with what was pasted: a key that a script sends writes nothing by
 * itself.
 */
export function putIn(view: EditorView, typed: Ahead): void {
  if ('pasted' in typed) {
    view.pasteText(typed.pasted)
    return
  }
  const { key, shiftKey } = typed
  const isHeard = !view.dom.dispatchEvent(
    new KeyboardEvent('keydown', { key, shiftKey, bubbles: true, cancelable: true }),
  )
  if (isHeard) return
  if (key.length === 1) write(view, key)
  else if (key === 'Backspace') takeBack(view)
}

function write(view: EditorView, letter: string): void {
  const { from, to } = view.state.selection
  const plain = () => view.state.tr.insertText(letter, from, to)
  const isTaken = view.someProp('handleTextInput', (handle) => handle(view, from, to, letter, plain))
  if (isTaken !== true) view.dispatch(plain().scrollIntoView())
}

const LETTERS = new Intl.Segmenter()

function takeBack(view: EditorView): void {
  const { state } = view
  const { $from } = state.selection
  const before = $from.nodeBefore
  if (before === null) return
  const last = before.isText ? [...LETTERS.segment(before.text!)].at(-1)!.segment.length : before.nodeSize
  const tr = state.tr.delete($from.pos - last, $from.pos)
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve($from.pos - last))))
}
