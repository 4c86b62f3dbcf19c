import { z } from 'zod'
import { coded, text } from './kit/fields.ts'
import { Line, RichText, variablesOfLine, variablesOfText, wordsOfText, type PlacedVariable } from './kit/rich-text.ts'
import { isPlainText } from './kit/text.ts'

/** A block stays the same one while it is moved and changed. */
const blockId = z
  .string()
  .min(1)
  .max(20)
  .regex(/^[A-Za-z0-9_-]+$/)
const variableKey = z.string().min(1).max(60)

const value = z.string().min(1).max(200).refine(isPlainText, coded('invalid_text'))

/** The block is left out unless the variable has a value, or one of these. */
const onlyIf = z.strictObject({ variable: variableKey, equals: z.array(value).max(20).nullable() }).nullable()

export const STOP_COLUMNS = ['number', 'time', 'action', 'company', 'town', 'reference'] as const
export const CARGO_COLUMNS = ['quantity', 'goods', 'dimensions', 'weight', 'volume', 'ldm', 'marks'] as const
export const SIGNATURE_LINES = ['caseWorker', 'phone', 'email', 'department', 'company'] as const
/** Links that are made for the one receiver; everything else is an address of the web. */
export const LINK_TARGETS = ['upload_link', 'tracking_link'] as const

const block = <Kind extends string, Fields extends z.ZodRawShape>(kind: Kind, fields: Fields) =>
  z.strictObject({ id: blockId, kind: z.literal(kind), onlyIf, ...fields })

const chosen = <Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .array(z.enum(values))
    .min(1)
    .max(values.length)
    .refine((given) => new Set(given).size === given.length, coded('duplicate_key'))

/** A piece of a mail (decision 062). One shape for the editor, the server and the preview. */
export const MailBlock = z.discriminatedUnion('kind', [
  block('heading', { text: Line.min(1) }),
  block('paragraph', { text: RichText }),
  /** rows without a value fall away */
  block('facts', {
    rows: z
      .array(z.strictObject({ label: text(80), variable: variableKey }))
      .min(1)
      .max(40),
  }),
  block('stops', { columns: chosen(STOP_COLUMNS) }),
  block('cargo', { columns: chosen(CARGO_COLUMNS) }),
  block('button', {
    label: text(80),
    target: z.union([
      z.enum(LINK_TARGETS),
      z
        .string()
        .max(500)
        .regex(/^https:\/\/[^\s"<>]+$/i, coded('invalid_value')),
    ]),
  }),
  block('picture', {}),
  block('divider', {}),
  block('signature', { lines: chosen(SIGNATURE_LINES) }),
])
export type MailBlock = z.output<typeof MailBlock>
export type MailBlockKind = MailBlock['kind']

/** All blocks of one mail, each with an id of its own. */
export const MailBlocks = z
  .array(MailBlock)
  .max(100)
  .refine((blocks) => new Set(blocks.map(({ id }) => id)).size === blocks.length, coded('duplicate_key'))

function variablesOfBlock(one: MailBlock, path: (string | number)[]): PlacedVariable[] {
  if (one.kind === 'heading') return variablesOfLine(one.text, [...path, 'text'])
  if (one.kind === 'paragraph') return variablesOfText(one.text, [...path, 'text'])
  if (one.kind === 'facts')
    return one.rows.map(({ variable }, row) => ({ path: [...path, 'rows', row, 'variable'], key: variable }))
  return []
}

/** Every variable that stands in the blocks, also as the condition of one, with its place. */
export const variablesOfBlocks = (blocks: readonly MailBlock[], path: (string | number)[]): PlacedVariable[] =>
  blocks.flatMap((one, index) => [
    ...variablesOfBlock(one, [...path, index]),
    ...(one.onlyIf === null ? [] : [{ path: [...path, index, 'onlyIf', 'variable'], key: one.onlyIf.variable }]),
  ])

function wordsOfBlock(one: MailBlock): string[] {
  if (one.kind === 'heading') return wordsOfText([{ type: 'paragraph', content: one.text }])
  if (one.kind === 'paragraph') return wordsOfText(one.text)
  if (one.kind === 'facts') return one.rows.map(({ label }) => label)
  return one.kind === 'button' ? [one.label, one.target] : []
}

/** What blocks say by themselves, values aside, each paragraph or label with the place of its block. */
export const wordsOfBlocks = (blocks: readonly MailBlock[], path: string): { path: string; text: string }[] =>
  blocks.flatMap((one, index) => wordsOfBlock(one).map((text) => ({ path: `${path}.${index}`, text })))
