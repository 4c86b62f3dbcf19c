import {
  CARGO_COLUMNS,
  SIGNATURE_LINES,
  STOP_COLUMNS,
  type MailBlock,
  type MailBlockKind,
} from '@waybill/contract/mail-blocks'
import { newKey } from '../../../kit/form/state/values.ts'
import type { IconName } from '../../../ui/marks/icon.tsx'
import type { Catalogue } from '../text/catalogue.ts'

/** The blocks in the order in which menus offer them. */
export const BLOCK_KINDS = [
  'paragraph',
  'heading',
  'facts',
  'cargo',
  'stops',
  'button',
  'signature',
  'picture',
  'divider',
] as const satisfies readonly MailBlockKind[]

export const BLOCK_ICONS: Readonly<Record<MailBlockKind, IconName>> = {
  paragraph: 'list',
  heading: 'edit',
  facts: 'rows',
  cargo: 'box',
  stops: 'pin',
  button: 'link',
  signature: 'user',
  picture: 'camera',
  divider: 'sort',
}

/** A new block that says something at once where it can; what only a person knows is left empty. */
export function newBlock(kind: MailBlockKind, catalogue: Catalogue, nameIn: (key: string) => string): MailBlock {
  const shared = { id: newKey(), onlyIf: null }
  const key = catalogue.fields[0]!.key
  switch (kind) {
    case 'heading':
      return { ...shared, kind, text: [] }
    case 'paragraph':
      return { ...shared, kind, text: [{ type: 'paragraph' }] }
    case 'facts':
      return { ...shared, kind, rows: [{ label: nameIn(key), variable: key }] }
    case 'stops':
      return { ...shared, kind, columns: [...STOP_COLUMNS] }
    case 'cargo':
      return { ...shared, kind, columns: CARGO_COLUMNS.filter((column) => !RARE.includes(column)) }
    case 'button':
      return { ...shared, kind, label: '', target: 'tracking_link' }
    case 'signature':
      return { ...shared, kind, lines: [...SIGNATURE_LINES] }
    case 'picture':
    case 'divider':
      return { ...shared, kind }
  }
}

const RARE: readonly string[] = ['dimensions', 'volume', 'marks']

/** Whether a block says nothing yet: it is what `/` takes the place of. */
export const isBlank = (block: MailBlock): boolean =>
  block.kind === 'paragraph' &&
  block.text.every((node) => node.type === 'paragraph' && (node.content ?? []).length === 0)
