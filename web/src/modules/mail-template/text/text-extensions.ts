import { Extension, InputRule, Mark, mergeAttributes, Node, type Extensions } from '@tiptap/core'
import { Bold } from '@tiptap/extension-bold'
import { Document } from '@tiptap/extension-document'
import { HardBreak } from '@tiptap/extension-hard-break'
import { Italic } from '@tiptap/extension-italic'
import { BulletList } from '@tiptap/extension-list/bullet-list'
import { ListItem } from '@tiptap/extension-list/item'
import { OrderedList } from '@tiptap/extension-list/ordered-list'
import { Paragraph } from '@tiptap/extension-paragraph'
import { Text } from '@tiptap/extension-text'
import { UndoRedo } from '@tiptap/extensions/undo-redo'
import { Fragment, Slice, type Node as DocNode } from '@tiptap/pm/model'
import { Plugin } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

/** How a field is shown in a text. */
export interface ChipLook {
  label: string
  isKnown: boolean
  /** For the pointer: what stands there for the chosen order, or that there is no such field */
  title: string
}

interface VariableOptions {
  lookOf: (key: string, fallback: string | null) => ChipLook
  /** Of the chip, and of one that is unknown */
  className: string
}

const A_KEY = /\{([a-zA-Z]+\.[a-zA-Z]+)\}/g

/** `{order.number}` in what is pasted is the field again. */
function withFields(node: DocNode): DocNode[] {
  if (!node.isText) return [node.copy(fieldsIn(node.content))]
  const { schema } = node.type
  const parts: DocNode[] = []
  let at = 0
  for (const match of node.text!.matchAll(A_KEY)) {
    if (match.index > at) parts.push(schema.text(node.text!.slice(at, match.index), node.marks))
    parts.push(schema.nodes.variable!.create({ key: match[1] }))
    at = match.index + match[0].length
  }
  if (at < node.text!.length) parts.push(schema.text(node.text!.slice(at), node.marks))
  return parts
}

function fieldsIn(fragment: Fragment): Fragment {
  const nodes: DocNode[] = []
  fragment.forEach((node) => nodes.push(...withFields(node)))
  return Fragment.fromArray(nodes)
}

/** A value of the order in running text, as a chip; copied as `{order.number}`. */
const Variable = Node.create<VariableOptions>({
  name: 'variable',
  group: 'inline',
  inline: true,
  atom: true,
  addOptions: () => ({ lookOf: (key) => ({ label: key, isKnown: true, title: '' }), className: '' }),
  addAttributes: () => ({
    key: { default: '', parseHTML: (element) => element.getAttribute('data-variable') },
    fallback: { default: null, parseHTML: (element) => element.getAttribute('data-fallback') },
  }),
  parseHTML: () => [{ tag: 'span[data-variable]' }],
  renderHTML: ({ node }) => [
    'span',
    mergeAttributes({
      'data-variable': node.attrs.key as string,
      ...(node.attrs.fallback === null ? {} : { 'data-fallback': node.attrs.fallback as string }),
    }),
    `{${node.attrs.key as string}}`,
  ],
  renderText: ({ node }) => `{${node.attrs.key as string}}`,
  addNodeView() {
    return ({ node }) => {
      const dom = document.createElement('span')
      const { label, isKnown, title } = this.options.lookOf(
        node.attrs.key as string,
        node.attrs.fallback as string | null,
      )
      dom.className = this.options.className
      dom.dataset.variable = node.attrs.key as string
      if (!isKnown) dom.dataset.unknown = 'true'
      if (node.attrs.fallback !== null) dom.dataset.spare = 'true'
      dom.title = title
      dom.textContent = label
      return { dom }
    }
  },
  addInputRules() {
    return [
      new InputRule({
        find: /\{([a-zA-Z]+\.[a-zA-Z]+)\}$/,
        handler: ({ range, match, chain }) => {
          chain()
            .deleteRange(range)
            .insertContentAt(range.from, { type: 'variable', attrs: { key: match[1] } })
            .run()
        },
      }),
    ]
  },
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        transformPasted: (slice) => new Slice(fieldsIn(slice.content), slice.openStart, slice.openEnd),
      },
    }),
  ],
})

/** A link knows where it leads and nothing else. */
const Link = Mark.create({
  name: 'link',
  inclusive: false,
  addAttributes: () => ({ href: { default: '' } }),
  parseHTML: () => [
    {
      tag: 'a[href]',
      getAttrs: (element) => (/^(https?:\/\/|mailto:|tel:)/i.test(element.getAttribute('href') ?? '') ? null : false),
    },
  ],
  renderHTML: ({ mark }) => ['a', { href: mark.attrs.href as string }, 0],
})

/** What is being typed that a menu may finish: a field behind `{`, or a block behind `/` on an empty line. */
export interface Asking {
  kind: 'field' | 'block'
  words: string
  from: number
  to: number
  /** Where it begins on the screen, px */
  left: number
  bottom: number
}

interface AskingOptions {
  withBlocks: boolean
  onAsk: (asking: Asking | null) => void
  /** True where the menu took the key */
  onKey: (event: KeyboardEvent) => boolean
}

/** What stands before the caret, if it asks for a menu. */
function askedAt(view: EditorView, withBlocks: boolean): Asking | null {
  const { selection } = view.state
  if (!selection.empty) return null
  const { $from } = selection
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\uFFFC')
  const field = /\{([^{}\uFFFC]{0,40})$/.exec(before)
  const block =
    withBlocks && $from.parentOffset === $from.parent.content.size ? /^\/(\p{L}{0,20})$/u.exec(before) : null
  const match = field ?? block
  if (match === null) return null
  const from = $from.pos - match[0].length
  const { left, bottom } = view.coordsAtPos(from)
  return { kind: field === null ? 'block' : 'field', words: match[1]!, from, to: $from.pos, left, bottom }
}

const Asks = Extension.create<AskingOptions>({
  name: 'asks',
  // Before Enter is a new paragraph.
  priority: 1000,
  addOptions: () => ({ withBlocks: false, onAsk: () => undefined, onKey: () => false }),
  addProseMirrorPlugins() {
    const { withBlocks, onAsk, onKey } = this.options
    return [
      new Plugin({
        view: () => ({ update: (view) => onAsk(view.hasFocus() ? askedAt(view, withBlocks) : null) }),
        props: {
          handleKeyDown: (_view, event) => onKey(event),
          handleDOMEvents: {
            blur: () => {
              onAsk(null)
              return false
            },
          },
        },
      }),
    ]
  },
})

/** A line stays one: Enter does nothing, and what is pasted loses its breaks. */
const OneLine = Extension.create({
  name: 'oneLine',
  addKeyboardShortcuts: () => ({ Enter: () => true, 'Shift-Enter': () => true, 'Mod-Enter': () => true }),
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handlePaste: (view, event) => {
          const text = event.clipboardData?.getData('text/plain').replace(/\s+/g, ' ') ?? ''
          const { schema } = view.state
          const nodes = text === '' ? [] : withFields(schema.text(text))
          view.dispatch(view.state.tr.replaceSelection(new Slice(Fragment.fromArray(nodes), 0, 0)).scrollIntoView())
          return true
        },
      },
    }),
  ],
})

/** What the editor of a line, or of a running text, is made of. */
export function extensionsFor(isLine: boolean, variable: VariableOptions, asking: AskingOptions): Extensions {
  const shared = [Paragraph, Text, UndoRedo, Variable.configure(variable), Asks.configure(asking)]
  if (isLine) return [Document.extend({ content: 'paragraph' }), OneLine, ...shared]
  return [
    Document,
    Bold,
    Italic,
    Link,
    HardBreak,
    BulletList,
    OrderedList,
    // Depth 1: lists in lists are no reading for a mail.
    ListItem.extend({ content: 'paragraph+' }),
    ...shared,
  ]
}
