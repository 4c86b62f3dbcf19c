import {
  CARGO_COLUMNS,
  SIGNATURE_LINES,
  STOP_COLUMNS,
  type MailBlock,
  type MailBlockKind,
} from '@waybill/contract/mail-blocks'
import type { Inline, Line, Paragraph, RichText } from '@waybill/contract/kit/rich-text'
import type { TemplateWrite } from '@waybill/contract/email/template'

/*
 * The standard texts are files that people read: a line `Subject: …`, then blocks with an empty line between them.
 * Running text is a paragraph; lines with `- ` are a list; `# ` begins a heading. What begins with `=` is another
 * block:
 *   = facts                     rows below it: `Label: variable`
 *   = stops number time …       the columns, all where none is named
 *   = cargo quantity goods …
 *   = button upload_link: Label or an https address
 *   = picture, = divider
 *   = signature caseWorker …    the lines, all but our address where none is named
 *   = if order.adr              in front of a block: only where the variable has a value; `= if x is a, b`
 * A variable stands in braces, with what stands there without it behind a bar: {driver.phone|to follow}.
 */

type OnlyIf = MailBlock['onlyIf']
type Content<Kind extends MailBlockKind> = Omit<Extract<MailBlock, { kind: Kind }>, 'id' | 'onlyIf'>
type AnyContent = { [Kind in MailBlockKind]: Content<Kind> }[MailBlockKind]

class TextError extends Error {
  override name = 'TextError'
}

const VARIABLE = /\{([A-Za-z.]+)(?:\|([^}]*))?\}/

function lineOf(source: string): Line {
  return source
    .split(/(\{[A-Za-z.]+(?:\|[^}]*)?\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const [, key, fallback = null] = VARIABLE.exec(part) ?? []
      return key === undefined ? { type: 'text', text: part } : { type: 'variable', attrs: { key, fallback } }
    })
}

function paragraphOf(lines: readonly string[]): Paragraph {
  const content = lines.flatMap((source, index): Inline[] => [
    ...(index === 0 ? [] : [{ type: 'hardBreak' } as const]),
    // `**` begins and ends bold.
    ...source
      .split('**')
      .flatMap((part, nth) =>
        lineOf(part).map((node) =>
          nth % 2 === 1 && node.type === 'text' ? { ...node, marks: [{ type: 'bold' as const }] } : node,
        ),
      ),
  ])
  return { type: 'paragraph', content }
}

function richTextOf(lines: readonly string[]): RichText {
  const items = lines.filter((one) => one.startsWith('- '))
  if (items.length === 0) return [paragraphOf(lines)]
  if (items.length < lines.length) throw new TextError(`a list is a block of its own: ${lines[0]}`)
  return [
    {
      type: 'bulletList',
      content: items.map((one) => ({ type: 'listItem', content: [paragraphOf([one.slice(2)])] })),
    },
  ]
}

const columnsOf = <Column extends string>(given: string, all: readonly Column[]): Column[] =>
  given === '' ? [...all] : (given.split(' ') as Column[])

// Our address stands below every mail.
const SIGNATURE = SIGNATURE_LINES.filter((line) => line !== 'company')

const MADE: Readonly<Record<string, (given: string, rows: readonly string[]) => AnyContent>> = {
  facts: (_given, rows) => ({
    kind: 'facts',
    rows: rows.map((row) => {
      const cut = row.lastIndexOf(': ')
      return { label: row.slice(0, cut), variable: row.slice(cut + 2).trim() }
    }),
  }),
  stops: (given) => ({ kind: 'stops', columns: columnsOf(given, STOP_COLUMNS) }),
  cargo: (given) => ({ kind: 'cargo', columns: columnsOf(given, CARGO_COLUMNS) }),
  button: (given) => {
    const cut = given.indexOf(': ')
    return { kind: 'button', label: given.slice(cut + 2), target: given.slice(0, cut) }
  },
  picture: () => ({ kind: 'picture' }),
  divider: () => ({ kind: 'divider' }),
  signature: (given) => ({ kind: 'signature', lines: columnsOf(given, SIGNATURE) }),
}

function conditionOf(given: string): OnlyIf {
  const [variable, values] = given.split(' is ')
  return { variable: variable!, equals: values?.split(', ') ?? null }
}

function contentOf(lines: readonly string[]): AnyContent {
  const [first, ...rest] = lines as [string, ...string[]]
  if (first.startsWith('# ')) return { kind: 'heading', text: lineOf(first.slice(2)) }
  if (!first.startsWith('= ')) return { kind: 'paragraph', text: richTextOf(lines) }
  const [name, ...given] = first.slice(2).split(' ')
  const made = MADE[name!]
  if (!made) throw new TextError(`there is no block of this name: ${first}`)
  return made(given.join(' '), rest)
}

/** Reads a standard text as it stands in its file. Throws a TextError on what it cannot read. */
export function readStandardText(source: string): TemplateWrite {
  const [head, ...parts] = source.trim().split(/\n\s*\n/) as [string, ...string[]]
  if (!head.startsWith('Subject: ')) throw new TextError('a text begins with its subject')
  const blocks = parts.map((part, index): MailBlock => {
    const lines = part.split('\n').map((one) => one.trimEnd())
    const onlyIf = lines[0]!.startsWith('= if ') ? conditionOf(lines.shift()!.slice(5)) : null
    return { id: `s${index + 1}`, onlyIf, ...contentOf(lines) } as MailBlock
  })
  return { subject: lineOf(head.slice('Subject: '.length)), blocks, replyTo: 'caseWorker', isOn: true }
}
