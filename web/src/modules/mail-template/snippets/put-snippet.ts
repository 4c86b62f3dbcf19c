import type { Editor, JSONContent } from '@tiptap/core'
import type { RichText } from '@waybill/contract/kit/rich-text'

/** Whether running text is being written in, and not a line, where a snippet has no room. */
export const takesSnippets = (editor: Editor | null): editor is Editor =>
  editor !== null && !editor.isDestroyed && editor.schema.nodes.hardBreak !== undefined

/** Puts a snippet in at the caret, in place of what was typed to find it: one paragraph goes into the sentence. */
export function putAtCaret(editor: Editor, text: RichText, typed?: { from: number; to: number }): void {
  const [first, ...more] = text
  const content = first?.type === 'paragraph' && more.length === 0 ? (first.content ?? []) : text
  const chain = editor.chain().focus()
  if (typed !== undefined) chain.deleteRange(typed)
  chain.insertContent(content).run()
}

/** Puts a snippet below the paragraph in which the caret stands. */
export function putBelow(editor: Editor, text: RichText): void {
  editor.chain().focus().insertContentAt(editor.state.selection.$to.after(1), text).run()
}

/** The paragraphs and lists that the caret or the choice touches; tables and headings are no part of a snippet. */
export function touchedText(editor: Editor, textOf: (doc: JSONContent) => RichText): RichText {
  const { $from, $to } = editor.state.selection
  const { content = [] } = editor.getJSON()
  const touched = content.slice($from.index(0), $to.index(0) + 1)
  return textOf({ content: touched.filter(({ type }) => type !== 'heading' && type !== 'table') })
}
