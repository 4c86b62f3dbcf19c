import { z } from 'zod'
import { coded } from '../fields.ts'
import { isPlainText } from '../text.ts'

// The shape is TipTap's own, so that what the editor gives is what is stored; what it may hold is less.

const words = z.string().min(1).max(4000).refine(isPlainText, coded('invalid_text'))
const variableKey = z.string().min(1).max(60)

/** Where a link of a text may lead: never to a script. */
const href = z
  .string()
  .max(500)
  .regex(/^(https?:\/\/|mailto:|tel:)[^\s"<>]+$/i, coded('invalid_value'))

const mark = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('bold') }),
  z.strictObject({ type: z.literal('italic') }),
  z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href }) }),
])

/** A value of the order in running text; `fallback` stands there where it has none. */
export const VariableNode = z.strictObject({
  type: z.literal('variable'),
  attrs: z.strictObject({
    key: variableKey,
    fallback: z.string().max(200).refine(isPlainText, coded('invalid_text')).nullable(),
  }),
})
export type VariableNode = z.output<typeof VariableNode>

const PlainNode = z.strictObject({ type: z.literal('text'), text: words })
const TextNode = PlainNode.extend({ marks: z.array(mark).max(3).optional() })

/** One line without looks: a subject, a heading. */
export const Line = z.array(z.discriminatedUnion('type', [PlainNode, VariableNode])).max(100)
export type Line = z.output<typeof Line>

const Inline = z.discriminatedUnion('type', [TextNode, VariableNode, z.strictObject({ type: z.literal('hardBreak') })])
export type Inline = z.output<typeof Inline>

export const Paragraph = z.strictObject({
  type: z.literal('paragraph'),
  content: z.array(Inline).max(300).optional(),
})
export type Paragraph = z.output<typeof Paragraph>

const listOf = <Name extends string>(type: Name) =>
  z.strictObject({
    type: z.literal(type),
    content: z
      .array(z.strictObject({ type: z.literal('listItem'), content: z.array(Paragraph).min(1).max(20) }))
      .min(1)
      .max(100),
  })

/** Running text with bold, italic, links, lists and values of the order. */
export const RichText = z
  .array(z.discriminatedUnion('type', [Paragraph, listOf('bulletList'), listOf('orderedList')]))
  .max(60)
export type RichText = z.output<typeof RichText>

/** A value in a text, with the place where it stands, as paths of errors name it. */
export interface PlacedVariable {
  path: (string | number)[]
  key: string
}

/** Every variable of one line or paragraph. */
export const variablesOfLine = (line: readonly Inline[], path: (string | number)[]): PlacedVariable[] =>
  line.flatMap((node, index) =>
    node.type === 'variable' ? [{ path: [...path, index, 'attrs', 'key'], key: node.attrs.key }] : [],
  )

const variablesOfParagraphs = (paragraphs: readonly Paragraph[], path: (string | number)[]): PlacedVariable[] =>
  paragraphs.flatMap(({ content = [] }, index) => variablesOfLine(content, [...path, index, 'content']))

/** Every variable of a running text. */
export const variablesOfText = (text: RichText, path: (string | number)[]): PlacedVariable[] =>
  text.flatMap((node, index) =>
    node.type === 'paragraph'
      ? variablesOfParagraphs([node], path).map((found) => ({
          ...found,
          path: [...path, index, ...found.path.slice(path.length + 1)],
        }))
      : node.content.flatMap((item, nth) =>
          variablesOfParagraphs(item.content, [...path, index, 'content', nth, 'content']),
        ),
  )
