import type { JSONContent } from '@tiptap/core'
import type { Inline, Line, Paragraph, RichText } from '@waybill/contract/kit/rich-text'

/*
 * Between the shape of the contract and the one of the editor: what the editor knows of attributes beside the
 * contract's (the number a list begins with, the target of a link) stays behind.
 */

/** A running text as the editor takes it. */
export const docOfText = (text: RichText): JSONContent => ({
  type: 'doc',
  content: text.length === 0 ? [{ type: 'paragraph' }] : text,
})

/** A single line as the editor takes it: one paragraph. */
export const docOfLine = (line: Line): JSONContent => ({
  type: 'doc',
  content: [line.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content: line }],
})

/** What is inside a node of the editor. */
export const contentOf = ({ content = [] }: JSONContent): readonly JSONContent[] => content

function inlineOf({ type, text = '', attrs, marks = [] }: JSONContent): Inline {
  if (type === 'hardBreak') return { type: 'hardBreak' }
  if (type === 'variable')
    return {
      type: 'variable',
      attrs: { key: String(attrs?.key), fallback: (attrs?.fallback as string | null | undefined) || null },
    }
  if (marks.length === 0) return { type: 'text', text }
  return {
    type: 'text',
    text,
    marks: marks.map((mark) =>
      mark.type === 'link'
        ? { type: 'link', attrs: { href: String(mark.attrs?.href) } }
        : { type: mark.type as 'bold' | 'italic' },
    ),
  }
}

/** A paragraph of the editor as the contract writes it. */
export const paragraphOf = (node: JSONContent): Paragraph => {
  const content = contentOf(node).map(inlineOf)
  return content.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content }
}

/** What the editor holds as the contract writes a running text. */
export const textOfDoc = (doc: JSONContent): RichText =>
  contentOf(doc).map((node) => {
    if (node.type !== 'bulletList' && node.type !== 'orderedList') return paragraphOf(node)
    return {
      type: node.type,
      content: contentOf(node).map((item) => ({
        type: 'listItem' as const,
        content: contentOf(item).map(paragraphOf),
      })),
    }
  })

/** What the editor holds as the contract writes a single line: without looks and breaks. */
export const lineOfDoc = (doc: JSONContent): Line =>
  contentOf(doc).flatMap((node) =>
    contentOf(node).flatMap((one): Line => {
      const inline = inlineOf(one)
      if (inline.type === 'hardBreak') return []
      return inline.type === 'text' ? [{ type: 'text', text: inline.text }] : [inline]
    }),
  )
