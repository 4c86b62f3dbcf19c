import type { JSONContent } from '@tiptap/core'
import { PaperText, type PaperTable } from '@waybill/contract/kit/rich-text'
import { check } from '../../../kit/shapes/check.ts'
import { contentOf, lineOfDoc, paragraphOf, textOfDoc } from '../text/rich-doc.ts'

/** The text of a document as the editor takes it; one that ends with a table has a line to write on below it. */
export const docOfPaper = (text: PaperText): JSONContent => ({
  type: 'doc',
  content: text.length === 0 ? [{ type: 'paragraph' }] : text,
})

const tableOf = (node: JSONContent): PaperTable => ({
  type: 'table',
  content: contentOf(node).map((row) => ({
    type: 'tableRow',
    content: contentOf(row).map((cell) => ({
      type: cell.type as 'tableCell' | 'tableHeader',
      content: contentOf(cell).map(paragraphOf),
    })),
  })),
})

/** What the editor holds as the contract writes the text of a document. */
export const paperOfDoc = (doc: JSONContent): PaperText =>
  contentOf(doc).flatMap((node): PaperText => {
    if (node.type === 'table') return [tableOf(node)]
    if (node.type !== 'heading') return textOfDoc({ content: [node] })
    const level = node.attrs?.level === 2 ? 2 : 1
    const content = lineOfDoc({ content: [node] })
    return [
      content.length === 0 ? { type: 'heading', attrs: { level } } : { type: 'heading', attrs: { level }, content },
    ]
  })

interface AnyNode {
  type: string
  text?: string
  attrs?: { key?: string }
  content?: readonly AnyNode[]
}

/** The text with words in place of each field that there is not; null where it cannot be shown. */
export function shownPaper(text: PaperText, isKnown: (key: string) => boolean, unknown: string): PaperText | null {
  const shown = (node: AnyNode): AnyNode => {
    if (node.type === 'variable' && !isKnown(node.attrs?.key ?? '')) return { type: 'text', text: unknown }
    return node.content === undefined ? node : { ...node, content: node.content.map(shown) }
  }
  const { data } = check(PaperText, (text as AnyNode[]).map(shown))
  return data ?? null
}

/** A text in plain lines, to be read and compared. */
export function linesOfPaper(text: PaperText, labelOf: (key: string) => string): string[] {
  const words = (node: AnyNode): string => {
    if (node.type === 'variable') return `{${labelOf(node.attrs?.key ?? '')}}`
    if (node.type === 'hardBreak') return ' / '
    return node.text ?? (node.content ?? []).map(words).join('')
  }
  return (text as AnyNode[]).flatMap((node) => {
    const inside = node.content ?? []
    if (node.type === 'table') return inside.map((row) => (row.content ?? []).map(words).join(' | '))
    return node.type.endsWith('List') ? inside.map((item) => `• ${words(item)}`) : [words(node)]
  })
}
