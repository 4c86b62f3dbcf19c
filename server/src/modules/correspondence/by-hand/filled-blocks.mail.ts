import type { MailBlock } from '@waybill/contract/mail-blocks'
import { SUBJECT_HOLE } from '@waybill/contract/email/by-hand'
import type { Inline, Line, Paragraph, RichText } from '@waybill/contract/kit/rich-text'
import type { MailData } from '../mail/mail-text.mail.ts'

/*
 * A text with its values written out, so that a person can change every word of it. What has no value stays a variable:
 * the page shows it as a hole, and sending asks for it.
 */

type Values = MailData['values']

/** Variables that stay in the text, though they have a value: what comes in their place is known later. */
type Kept = readonly string[]

const valueOf = (values: Values, node: Extract<Inline, { type: 'variable' }>): string | null => {
  const { key, fallback } = node.attrs
  const value = values[key as keyof Values]
  return value === undefined || value.trim() === '' ? fallback : value
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

/** A value of several lines, as an address is, keeps its lines. */
const inLines = (text: string): Inline[] =>
  text
    .split(/\r\n|\r|\n/)
    .flatMap((line, index): Inline[] => [
      ...(index === 0 ? [] : [{ type: 'hardBreak' as const }]),
      ...(line === '' ? [] : [{ type: 'text' as const, text: line }]),
    ])

const isPlain = (node: Inline | undefined): node is Extract<Inline, { type: 'text' }> =>
  node?.type === 'text' && !node.marks?.length

/** Words and values beside each other become one piece of text, as if somebody had typed them. */
const joined = (nodes: readonly Inline[]): Inline[] =>
  nodes.reduce<Inline[]>((done, node) => {
    const last = done.at(-1)
    if (isPlain(last) && isPlain(node)) done[done.length - 1] = { type: 'text', text: last.text + node.text }
    else done.push(node)
    return done
  }, [])

function filledParagraph({ content = [] }: Paragraph, values: Values, kept: Kept): Paragraph {
  const filled = joined(
    content.flatMap((node): Inline[] => {
      if (node.type !== 'variable' || kept.includes(node.attrs.key)) return [node]
      const value = valueOf(values, node)
      return value === null ? [node] : inLines(value)
    }),
  )
  return filled.length === 0 ? { type: 'paragraph' } : { type: 'paragraph', content: filled }
}

const filledText = (text: RichText, values: Values, kept: Kept): RichText =>
  text.map((node) =>
    node.type === 'paragraph'
      ? filledParagraph(node, values, kept)
      : {
          ...node,
          content: node.content.map((item) => ({
            ...item,
            content: item.content.map((paragraph) => filledParagraph(paragraph, values, kept)),
          })),
        },
  )

const filledLine = (line: Line, values: Values, kept: Kept): Line =>
  joined(
    line.flatMap((node): Inline[] => {
      if (node.type !== 'variable' || kept.includes(node.attrs.key)) return [node]
      const value = valueOf(values, node)
      if (value === null) return [node]
      return value === '' ? [] : [{ type: 'text', text: oneLine(value) }]
    }),
  ) as Line

/** The blocks that say something here (`leftOut` do not), running text with its values written out. */
export const filledBlocks = (
  blocks: readonly MailBlock[],
  values: Values,
  leftOut: readonly string[],
  kept: Kept = [],
): MailBlock[] =>
  blocks
    .filter(({ id }) => !leftOut.includes(id))
    .map((block): MailBlock => {
      if (block.kind === 'paragraph') return { ...block, onlyIf: null, text: filledText(block.text, values, kept) }
      if (block.kind === 'heading') return { ...block, onlyIf: null, text: filledLine(block.text, values, kept) }
      return { ...block, onlyIf: null }
    })

/** A subject with its values; `SUBJECT_HOLE` stands where one is missing. */
export const filledSubject = (subject: Line, values: Values): string =>
  oneLine(subject.map((node) => (node.type === 'text' ? node.text : (valueOf(values, node) ?? SUBJECT_HOLE))).join(''))
    .trim()
    .slice(0, 250)
    .toWellFormed()

/** A part that the record gives, and nobody changes in the mail. */
export const isOfRecord = ({ kind }: MailBlock): boolean => kind !== 'paragraph' && kind !== 'heading'
