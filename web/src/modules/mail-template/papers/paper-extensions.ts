import { Extension, Node, type Extensions } from '@tiptap/core'
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
  tableEditing,
} from '@tiptap/pm/tables'
import type { Command, EditorState } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'
import { extensionsFor } from '../text/text-extensions.ts'

/** What the contract allows: six columns, forty rows. */
export const MOST_COLUMNS = 6
export const MOST_ROWS = 40

const Heading = Node.create({
  name: 'heading',
  group: 'block',
  content: '(text | variable)*',
  marks: '',
  defining: true,
  addAttributes: () => ({ level: { default: 1 } }),
  parseHTML: () => [
    { tag: 'h1', attrs: { level: 1 } },
    { tag: 'h2', attrs: { level: 1 } },
    { tag: 'h3', attrs: { level: 2 } },
  ],
  renderHTML: ({ node }) => [node.attrs.level === 1 ? 'h3' : 'h4', 0],
})

// A cell fills one place: what is pasted with wider ones is set anew.
const one = { default: 1, parseHTML: () => 1, renderHTML: () => ({}) }
const cellAttributes = () => ({
  colspan: one,
  rowspan: one,
  colwidth: { default: null, parseHTML: () => null, renderHTML: () => ({}) },
})

const Table = Node.create({
  name: 'table',
  group: 'block',
  content: 'tableRow+',
  isolating: true,
  parseHTML: () => [{ tag: 'table' }],
  renderHTML: () => ['table', ['tbody', 0]],
})

const TableRow = Node.create({
  name: 'tableRow',
  content: '(tableCell | tableHeader)+',
  parseHTML: () => [{ tag: 'tr' }],
  renderHTML: () => ['tr', 0],
})

const TableCell = Node.create({
  name: 'tableCell',
  content: 'paragraph+',
  isolating: true,
  addAttributes: cellAttributes,
  parseHTML: () => [{ tag: 'td' }],
  renderHTML: () => ['td', 0],
})

const TableHeader = Node.create({
  name: 'tableHeader',
  content: 'paragraph+',
  isolating: true,
  addAttributes: cellAttributes,
  parseHTML: () => [{ tag: 'th' }],
  renderHTML: () => ['th', 0],
})

const ROLES: Readonly<Record<string, string>> = {
  table: 'table',
  tableRow: 'row',
  tableCell: 'cell',
  tableHeader: 'header_cell',
}

/** How many rows and columns the table at the caret has; null outside of one. */
export function sizeAt(state: EditorState): { rows: number; columns: number } | null {
  const { $head } = state.selection
  for (let depth = $head.depth; depth > 0; depth -= 1) {
    const node = $head.node(depth)
    if (node.type.name === 'table') return { rows: node.childCount, columns: node.firstChild!.childCount }
  }
  return null
}

/** What can be done with the table at the caret, by its name in the toolbar. */
export const TABLE_COMMANDS = {
  addRow: addRowAfter,
  addColumn: addColumnAfter,
  removeRow: deleteRow,
  removeColumn: deleteColumn,
  removeTable: deleteTable,
} as const satisfies Record<string, Command>

const nextCell = (view: EditorView): boolean => {
  if (!isInTable(view.state)) return false
  if (goToNextCell(1)(view.state, view.dispatch)) return true
  if (sizeAt(view.state)!.rows >= MOST_ROWS) return false
  addRowAfter(view.state, view.dispatch)
  return goToNextCell(1)(view.state, view.dispatch)
}

/** Tab walks the cells, and behind the last one it begins a new row; outside of a table it leaves the text. */
const Tables = Extension.create({
  name: 'tables',
  extendNodeSchema: (extension) => (ROLES[extension.name] === undefined ? {} : { tableRole: ROLES[extension.name] }),
  addKeyboardShortcuts() {
    return {
      Tab: () => nextCell(this.editor.view),
      'Shift-Tab': () => goToNextCell(-1)(this.editor.state, this.editor.view.dispatch),
    }
  },
  addProseMirrorPlugins: () => [tableEditing()],
})

type Shared = Parameters<typeof extensionsFor>

/** What the editor of a document's text is made of: that of running text, with headings and tables. */
export const paperExtensions = (variable: Shared[1], asking: Shared[2]): Extensions => [
  ...extensionsFor(false, variable, asking),
  Heading,
  Table,
  TableRow,
  TableCell,
  TableHeader,
  Tables,
]

const cell = (type: 'tableCell' | 'tableHeader') => ({ type, content: [{ type: 'paragraph' }] })

/** A table to begin with: a head, two rows, three columns. */
export const NEW_TABLE = {
  type: 'table',
  content: (['tableHeader', 'tableCell', 'tableCell'] as const).map((type) => ({
    type: 'tableRow',
    content: [cell(type), cell(type), cell(type)],
  })),
}
