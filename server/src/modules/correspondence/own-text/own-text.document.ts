import type { PaperWrite } from '@waybill/contract/email/paper-template'
import type { Inline, Line, Paragraph, PaperText } from '@waybill/contract/kit/rich-text'
import type { VariableKey } from '@waybill/contract/email/variables'

/** Words in one look; `text` null: a new line. */
interface Piece {
  text: string | null
  bold: boolean
  italic: boolean
  href: string | null
}

/** A piece of what a department says, as the templates set it (templates/text.typ). */
export type OwnBlock =
  | { kind: 'paragraph'; pieces: Piece[] }
  | { kind: 'heading'; level: 1 | 2; pieces: Piece[] }
  | { kind: 'list'; ordered: boolean; items: Piece[][][] }
  | { kind: 'table'; rows: { head: boolean; lines: Piece[][] }[][] }

export type PaperValues = Partial<Record<VariableKey, string>>

/** What stands where a field has no value and no other words: a hole on paper would be read as a mistake. */
const NOTHING = '–'

const plain = { bold: false, italic: false, href: null }

/** The keys of the variables that would be printed as a dash, once each. */
export function holesOf(body: PaperText, values: PaperValues): VariableKey[] {
  const holes = new Set<VariableKey>()
  ownBlocks(body, values, holes)
  return [...holes]
}

/**
 * What a department says with the values of one paper in it. Every value is text: it reaches the template as data, and
 * nothing in it is read as markup. `holes` gathers what has neither a value nor other words.
 */
export function ownBlocks(body: PaperText, values: PaperValues, holes = new Set<VariableKey>()): OwnBlock[] {
  const words = ({ key, fallback }: { key: string; fallback: string | null }): string => {
    const value = values[key as VariableKey]?.trim()
    if (value) return value
    if (fallback === null) holes.add(key as VariableKey)
    return fallback ?? NOTHING
  }
  const pieceOf = (node: Inline): Piece => {
    if (node.type === 'hardBreak') return { ...plain, text: null }
    if (node.type === 'variable') return { ...plain, text: words(node.attrs) }
    const marks = node.marks ?? []
    const link = marks.find((mark) => mark.type === 'link')
    return {
      text: node.text,
      bold: marks.some(({ type }) => type === 'bold'),
      italic: marks.some(({ type }) => type === 'italic'),
      href: link === undefined ? null : link.attrs.href,
    }
  }
  const pieces = (line: Line | Inline[] | undefined): Piece[] => (line ?? []).map(pieceOf)
  const lines = (paragraphs: readonly Paragraph[]): Piece[][] => paragraphs.map(({ content }) => pieces(content))
  return body.map((node): OwnBlock => {
    if (node.type === 'paragraph') return { kind: 'paragraph', pieces: pieces(node.content) }
    if (node.type === 'heading') return { kind: 'heading', level: node.attrs.level, pieces: pieces(node.content) }
    if (node.type === 'table')
      return {
        kind: 'table',
        rows: node.content.map((row) =>
          row.content.map(({ type, content }) => ({ head: type === 'tableHeader', lines: lines(content) })),
        ),
      }
    return {
      kind: 'list',
      ordered: node.type === 'orderedList',
      items: node.content.map(({ content }) => lines(content)),
    }
  })
}

/** What of our own text stays beside a department's: all of it, unless that takes its place. */
export const besides = <Text>(own: Pick<PaperWrite, 'mode'> | null | undefined, standard: Text[]): Text[] =>
  own?.mode === 'replace' ? [] : standard
