import { z } from 'zod'
import { coded } from './fields.ts'
import { isPlainText } from './text.ts'

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

const BulletList = listOf('bulletList')
const OrderedList = listOf('orderedList')

/** Running text with bold, italic, links, lists and values of the order. */
export const RichText = z.array(z.discriminatedUnion('type', [Paragraph, BulletList, OrderedList])).max(60)
export type RichText = z.output<typeof RichText>

const Heading = z.strictObject({
  type: z.literal('heading'),
  attrs: z.strictObject({ level: z.union([z.literal(1), z.literal(2)]) }),
  content: Line.optional(),
})

const Cell = z.strictObject({
  type: z.enum(['tableCell', 'tableHeader']),
  content: z.array(Paragraph).min(1).max(10),
})
const Row = z.strictObject({ type: z.literal('tableRow'), content: z.array(Cell).min(1).max(6) })

/** Six columns are what a sheet of A4 has room for. */
const Table = z
  .strictObject({ type: z.literal('table'), content: z.array(Row).min(1).max(40) })
  .refine(({ content: [first, ...more] }) => more.every((row) => row.content.length === first!.content.length), {
    ...coded('invalid_value'),
    path: ['content'],
  })
export type PaperTable = z.output<typeof Table>

/** How long a text of a paper may be, in characters of its JSON: some eight pages. */
const MOST_OF_A_PAPER = 60_000

/** What stands on a paper: running text, with headings and tables. */
export const PaperText = z
  .array(z.discriminatedUnion('type', [Paragraph, BulletList, OrderedList, Heading, Table]))
  .max(100)
  .refine((text) => JSON.stringify(text).length <= MOST_OF_A_PAPER, {
    message: 'too_long',
    params: { code: 'too_long', max: MOST_OF_A_PAPER },
  })
export type PaperText = z.output<typeof PaperText>

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

const wordsOfParagraph = ({ content = [] }: Paragraph): string[] => [
  content
    .map((node) => (node.type === 'text' ? node.text : node.type === 'variable' ? (node.attrs.fallback ?? ' ') : ' '))
    .join(''),
  ...content.flatMap((node) =>
    node.type === 'text' ? (node.marks ?? []).flatMap((one) => (one.type === 'link' ? one.attrs.href : [])) : [],
  ),
]

/** What a text says by itself, by paragraph: its words, those in place of missing values, its addresses. */
export const wordsOfText = (text: RichText): string[] =>
  text.flatMap((node) =>
    node.type === 'paragraph'
      ? wordsOfParagraph(node)
      : node.content.flatMap((item) => item.content.flatMap(wordsOfParagraph)),
  )

interface AnyNode {
  type: string
  attrs?: object
  content?: readonly AnyNode[] | undefined
}

const variablesOfNodes = (nodes: readonly AnyNode[], path: (string | number)[]): PlacedVariable[] =>
  nodes.flatMap((node, index) =>
    node.type === 'variable'
      ? [{ path: [...path, index, 'attrs', 'key'], key: (node as VariableNode).attrs.key }]
      : variablesOfNodes(node.content ?? [], [...path, index, 'content']),
  )

/** Every variable of a text of a paper, in headings and tables too. */
export const variablesOfPaper = (text: PaperText, path: (string | number)[]): PlacedVariable[] =>
  variablesOfNodes(text, path)

const saysSomething = (node: AnyNode): boolean =>
  node.type === 'variable' ||
  (node.type === 'text' && (node as { text?: string }).text?.trim() !== '') ||
  (node.content ?? []).some(saysSomething)

/** Whether there is nothing in it to read. */
export const isBlankPaper = (text: PaperText): boolean => !text.some(saysSomething)
