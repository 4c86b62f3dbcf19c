import type { CARGO_COLUMNS, MailBlock, SIGNATURE_LINES, STOP_COLUMNS } from '@waybill/contract/mail-blocks'
import type { Inline, Line, Paragraph } from '@waybill/contract/kit/rich-text'
import type { TemplateWrite } from '@waybill/contract/email/template'
import type { VariableKey } from '@waybill/contract/email/variables'
import type { Language } from '@waybill/contract/errors'
import { escapeHtml, LOGO_SOURCE } from '../../../kit/mail/mail-html.ts'
import { textsOf } from '../../../kit/texts/texts.ts'

/** What a mail speaks of, already in words of its language. What has no value is not there. */
export interface MailData {
  values: Partial<Record<VariableKey, string>>
  /** of the route, or of the order where it has none: those that concern the receiver */
  stops: Record<(typeof STOP_COLUMNS)[number], string>[]
  cargo: Record<(typeof CARGO_COLUMNS)[number], string>[]
  /** the last line below the cargo, where there is more than one line */
  cargoTotals: Record<(typeof CARGO_COLUMNS)[number], string> | null
  signature: Partial<Record<(typeof SIGNATURE_LINES)[number], string>>
  links: Partial<Record<'upload_link' | 'tracking_link', string>>
  /** the name of the company whose logo travels with the mail; null: it has none */
  logoOf: string | null
}

export interface MailText {
  subject: string
  /** the body, as `wrapMail` takes it */
  html: string
  /** variables that have no value and no other words in their place, once each */
  holes: VariableKey[]
  /** blocks that say nothing here, by their id */
  leftOut: string[]
}

const WORDS = textsOf('mail')

/** A value in one line: a name may hold line breaks, a subject may not (design §9, rule 7). */
const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const lines = (text: string): string => escapeHtml(text).replace(/\r\n|\r|\n/g, '<br>')

const NUMERIC: readonly string[] = ['weight', 'volume', 'ldm'] satisfies (typeof CARGO_COLUMNS)[number][]

type Look = 'head' | 'cell' | 'sum'
const cell = (tag: 'th' | 'td', look: Look, isNumber: boolean, html: string): string =>
  `<${tag} data-look="${look}${isNumber ? 'Number' : ''}">${html}</${tag}>`

const table = (head: string[], body: string[][]): string =>
  `<table data-look="full"><thead><tr>${head.join('')}</tr></thead><tbody>${body
    .map((row) => `<tr>${row.join('')}</tr>`)
    .join('')}</tbody></table>`

/** What puts the values of one mail into its pieces; `holes` gathers what has no value. */
function fillerOf({ values }: MailData, holes: Set<VariableKey>) {
  const value = (key: string): string | undefined => {
    const found = values[key as VariableKey]
    return found === undefined || found.trim() === '' ? undefined : found
  }
  const words = ({ attrs: { key, fallback } }: Extract<Inline, { type: 'variable' }>): string => {
    const found = value(key) ?? fallback
    if (found === null) holes.add(key as VariableKey)
    return found ?? ''
  }
  const inline = (node: Inline): string => {
    if (node.type === 'hardBreak') return '<br>'
    if (node.type === 'variable') return wholeNumber(lines(words(node)))
    return (node.marks ?? []).reduce((html, mark) => {
      if (mark.type === 'bold') return `<strong>${html}</strong>`
      if (mark.type === 'italic') return `<em>${html}</em>`
      return `<a href="${escapeHtml(mark.attrs.href)}">${html}</a>`
    }, escapeHtml(node.text))
  }
  return {
    value,
    line: (line: Line): string =>
      oneLine(line.map((node) => (node.type === 'text' ? node.text : words(node))).join('')),
    content: ({ content = [] }: Paragraph): string => content.map(inline).join(''),
  }
}
type Filler = ReturnType<typeof fillerOf>
type BlockOf<Kind extends MailBlock['kind']> = Extract<MailBlock, { kind: Kind }>

function paragraphs({ text }: BlockOf<'paragraph'>, { content }: Filler): string {
  return text
    .map((node) => {
      if (node.type === 'paragraph') return `<p>${content(node)}</p>`
      const tag = node.type === 'bulletList' ? 'ul' : 'ol'
      const items = node.content.map((item) => `<li>${item.content.map(content).join('<br>')}</li>`)
      return `<${tag}>${items.join('')}</${tag}>`
    })
    .join('\n')
}

const whole = (html: string): string => `<span data-look="whole">${html}</span>`
const CLOCK = /\u00a0?((?:\p{L}+\u00a0)?\d\d:\d\d(?:–\d\d:\d\d)?)/gu

/** A clock time or a window is not broken; between the day and it there may be a line. */
const withWholeTimes = (html: string): string => html.replaceAll(CLOCK, (_found, time: string) => ` ${whole(time)}`)

/** The same in a narrow column: the day, and the time below it. */
const dayOverTime = (html: string): string =>
  html
    .replaceAll(CLOCK, '<br>$1')
    .split('<br>')
    .filter((line) => line.trim() !== '')
    .map((line) => whole(line.trim()))
    .join('<br>')

/** A number of an order or a telephone is read in one piece: it does not break at its hyphen or space. */
const wholeNumber = (html: string): string => (/^(?=.*\d)[\p{L}\d +/.-]{4,16}$/u.test(html) ? whole(html) : html)

/** A longer word has no room on a phone beside a name, so it may break; a town or an amount may not. */
function facts({ rows }: BlockOf<'facts'>, { value }: Filler): string | null {
  const known = rows.flatMap(({ label, variable }) => {
    const said = value(variable)
    if (said === undefined) return []
    const html = variable.endsWith('.termin') ? withWholeTimes(lines(said)) : wholeNumber(lines(said))
    const look = /\S{21}/u.test(said) ? 'valueLong' : 'value'
    return [`<tr><th>${escapeHtml(label)}</th><td data-look="${look}">${html}</td></tr>`]
  })
  return known.length === 0 ? null : `<table><tbody>${known.join('')}</tbody></table>`
}

type StopColumn = (typeof STOP_COLUMNS)[number]
type CargoColumn = (typeof CARGO_COLUMNS)[number]
/** What stands below one another in one column: side by side, words would break on a phone. */
const STACKED_STOP: readonly (readonly StopColumn[])[] = [
  ['number'],
  ['time', 'action'],
  ['company', 'town', 'reference'],
]
const STACKED_CARGO: readonly (readonly CargoColumn[])[] = [
  ['quantity', 'goods', 'dimensions', 'marks'],
  ['weight'],
  ['volume'],
  ['ldm'],
]

const stacksOf = <Column extends string>(stacks: readonly (readonly Column[])[], chosen: readonly Column[]) =>
  stacks.map((stack) => chosen.filter((column) => stack.includes(column))).filter((stack) => stack.length > 0)

const below = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('<br>')
const muted = (html: string): string => (html === '' ? '' : `<span data-look="muted">${html}</span>`)

function stopTable({ columns }: BlockOf<'stops'>, { stops }: MailData, language: Language): string | null {
  if (stops.length === 0) return null
  const words = WORDS[language].stops
  const stacks = stacksOf(STACKED_STOP, columns)
  const said = (stop: MailData['stops'][number], column: StopColumn, isFirst: boolean): string => {
    const html = lines(stop[column])
    if (html === '') return ''
    if (column === 'time') return dayOverTime(html)
    if (column === 'reference' && !isFirst) return muted(`${escapeHtml(words.reference)}: ${html}`)
    return column === 'action' && !isFirst ? muted(html) : html
  }
  return table(
    stacks.map(([first]) => cell('th', 'head', false, escapeHtml(words[first!]))),
    stops.map((stop) =>
      stacks.map((stack) =>
        cell('td', 'cell', false, below(stack.map((column, index) => said(stop, column, index === 0)))),
      ),
    ),
  )
}

function cargoTable({ columns }: BlockOf<'cargo'>, { cargo, cargoTotals }: MailData, language: Language) {
  if (cargo.length === 0) return null
  const words = WORDS[language].cargo
  const stacks = stacksOf(STACKED_CARGO, columns)
  const isNumeric = ([first]: readonly CargoColumn[]) => NUMERIC.includes(first!)
  const rowOf = (look: Look, row: MailData['cargo'][number]) =>
    stacks.map((stack) =>
      cell(
        'td',
        look,
        isNumeric(stack),
        below(stack.map((column, index) => (index < 2 ? lines(row[column]) : muted(lines(row[column]))))),
      ),
    )
  return table(
    stacks.map((stack) =>
      cell('th', 'head', isNumeric(stack), escapeHtml(words[stack.includes('goods') ? 'goods' : stack[0]!])),
    ),
    [...cargo.map((row) => rowOf('cell', row)), ...(cargoTotals === null ? [] : [rowOf('sum', cargoTotals)])],
  )
}

function button({ target, label }: BlockOf<'button'>, { links }: MailData): string | null {
  const url = target === 'upload_link' || target === 'tracking_link' ? links[target] : target
  return url === undefined ? null : `<p><a data-look="button" href="${escapeHtml(url)}">${escapeHtml(label)}</a></p>`
}

function signature(block: BlockOf<'signature'>, data: MailData): string | null {
  const named = block.lines.flatMap((line) => {
    const text = data.signature[line]
    return text ? [line === 'caseWorker' ? `<strong>${escapeHtml(text)}</strong>` : escapeHtml(text)] : []
  })
  return named.length === 0 ? null : `<p data-look="signature">${named.join('<br>')}</p>`
}

const logo = ({ logoOf }: MailData): string | null =>
  logoOf === null ? null : `<p><img data-look="logo" src="${LOGO_SOURCE}" alt="${escapeHtml(logoOf)}"></p>`

/** One block as HTML; null where it says nothing here. */
function rendered(block: MailBlock, data: MailData, filler: Filler, language: Language): string | null {
  if (block.onlyIf !== null) {
    const value = filler.value(block.onlyIf.variable)
    if (value === undefined || !(block.onlyIf.equals?.includes(value) ?? true)) return null
  }
  switch (block.kind) {
    case 'heading':
      return `<h2>${escapeHtml(filler.line(block.text))}</h2>`
    case 'paragraph':
      return paragraphs(block, filler)
    case 'facts':
      return facts(block, filler)
    case 'stops':
      return stopTable(block, data, language)
    case 'cargo':
      return cargoTable(block, data, language)
    case 'button':
      return button(block, data)
    case 'picture':
      return logo(data)
    case 'divider':
      return '<hr>'
    case 'signature':
      return signature(block, data)
  }
}

/** Puts the values into a text. Every value is text: nothing in it is read as HTML, and no subject grows a line. */
export function mailText(
  { subject, blocks }: Pick<TemplateWrite, 'subject' | 'blocks'>,
  data: MailData,
  language: Language,
): MailText {
  const holes = new Set<VariableKey>()
  const filler = fillerOf(data, holes)
  const leftOut: string[] = []
  const html = blocks.flatMap((block) => {
    const said = rendered(block, data, filler, language)
    if (said === null) leftOut.push(block.id)
    return said ?? []
  })
  return {
    subject: filler.line(subject).slice(0, 250).toWellFormed(),
    html: html.join('\n').toWellFormed(),
    holes: [...holes],
    leftOut,
  }
}
