import { MailBlock, variablesOfBlocks } from '@waybill/contract/mail-blocks'
import { variablesOfLine, type Inline, type Line, type PlacedVariable } from '@waybill/contract/kit/rich-text'
import type { TemplateWrite } from '@waybill/contract/email/template'
import { check } from '../../../kit/shapes/check.ts'

/** Every field of a text, in subject, blocks and conditions, with its place. */
export const fieldsOf = ({ subject, blocks }: Pick<TemplateWrite, 'subject' | 'blocks'>): PlacedVariable[] => [
  ...variablesOfLine(subject, ['subject']),
  ...variablesOfBlocks(blocks, ['blocks']),
]

/** The text with one field in place of another, wherever it stands. */
export function withField<Part>(part: Part, from: string, to: string): Part {
  if (Array.isArray(part)) return part.map((one) => withField(one as unknown, from, to)) as Part
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      (name === 'variable' || name === 'key') && value === from ? to : withField(value as unknown, from, to),
    ]),
  ) as Part
}

/** Around the words that stand for a field that there is not, until the picture is drawn. */
export const UNKNOWN = { begin: '⟦', end: '⟧' } as const

/**
 * What can be shown of a text that is being written: unknown fields become words, and blocks that are not finished
 * yet wait. Null where nothing is left to show.
 */
export function previewOf(
  { subject, blocks, ...rest }: TemplateWrite,
  isKnown: (key: string) => boolean,
  unknownWords: string,
): TemplateWrite | null {
  const words = { type: 'text' as const, text: `${UNKNOWN.begin}${unknownWords}${UNKNOWN.end}` }
  const known = <One extends Inline>(line: readonly One[]) =>
    line.map((node) => (node.type === 'variable' && !isKnown(node.attrs.key) ? words : node))
  const shown = blocks.flatMap((block): MailBlock[] => {
    const condition = block.onlyIf !== null && !isKnown(block.onlyIf.variable) ? null : block.onlyIf
    const drawn = { ...block, onlyIf: condition } as MailBlock
    const next: MailBlock =
      drawn.kind === 'heading'
        ? { ...drawn, text: known(drawn.text) as Line }
        : drawn.kind === 'paragraph'
          ? {
              ...drawn,
              text: drawn.text.map((node) =>
                node.type === 'paragraph'
                  ? { ...node, content: known(node.content ?? []) }
                  : {
                      ...node,
                      content: node.content.map((item) => ({
                        ...item,
                        content: item.content.map((one) => ({ ...one, content: known(one.content ?? []) })),
                      })),
                    },
              ),
            }
          : drawn.kind === 'facts'
            ? { ...drawn, rows: drawn.rows.filter(({ label, variable }) => label !== '' && isKnown(variable)) }
            : drawn
    return check(MailBlock, next).success ? [next] : []
  })
  if (shown.length === 0) return null
  return {
    ...rest,
    subject: subject.length === 0 ? [{ type: 'text', text: '–' }] : (known(subject) as Line),
    blocks: shown,
  }
}

const inlineWords = (line: readonly Inline[], labelOf: (key: string) => string): string =>
  line
    .map((node) =>
      node.type === 'text' ? node.text : node.type === 'hardBreak' ? '\n' : `{${labelOf(node.attrs.key)}}`,
    )
    .join('')

/** A text in plain lines, to be read and compared; `wordsOf` says what a block is that has no words of its own. */
export function linesOf(
  { subject, blocks }: Pick<TemplateWrite, 'subject' | 'blocks'>,
  labelOf: (key: string) => string,
  wordsOf: (block: MailBlock) => string,
): string[] {
  return [inlineWords(subject, labelOf), ...blocks.flatMap((block) => blockLines(block, labelOf, wordsOf))]
}

/** One block in plain lines. */
export function blockLines(
  block: MailBlock,
  labelOf: (key: string) => string,
  wordsOf: (block: MailBlock) => string,
): string[] {
  const lines =
    block.kind === 'heading'
      ? [inlineWords(block.text, labelOf)]
      : block.kind === 'paragraph'
        ? block.text.flatMap((node) =>
            node.type === 'paragraph'
              ? inlineWords(node.content ?? [], labelOf).split('\n')
              : node.content.map(
                  (item) => `• ${item.content.map((one) => inlineWords(one.content ?? [], labelOf)).join(' ')}`,
                ),
          )
        : block.kind === 'facts'
          ? block.rows.map(({ label, variable }) => `${label}: {${labelOf(variable)}}`)
          : [wordsOf(block)]
  if (block.onlyIf === null) return lines
  const { variable, equals } = block.onlyIf
  return [`[${labelOf(variable)}${equals === null ? '' : ` = ${equals.join(' / ')}`}]`, ...lines]
}

export interface ComparedLine {
  text: string
  /** in both, only before, only now */
  is: 'same' | 'gone' | 'new'
}

/** Two texts line by line: the longest run of lines that both have stays, the others are gone or new. */
export function compared(before: readonly string[], now: readonly string[]): ComparedLine[] {
  const longest = Array.from({ length: before.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      longest[i]![j] =
        before[i] === now[j] ? longest[i + 1]![j + 1]! + 1 : Math.max(longest[i + 1]![j]!, longest[i]![j + 1]!)
  const lines: ComparedLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < now.length) {
    if (i < before.length && j < now.length && before[i] === now[j]) {
      lines.push({ text: before[i]!, is: 'same' })
      i += 1
      j += 1
    } else if (j >= now.length || (i < before.length && longest[i + 1]![j]! >= longest[i]![j + 1]!)) {
      lines.push({ text: before[i]!, is: 'gone' })
      i += 1
    } else {
      lines.push({ text: now[j]!, is: 'new' })
      j += 1
    }
  }
  return lines
}
