import type { Plugin } from 'vite'
import { nodesIn, withoutProperty, type Node } from './lean-code.ts'

/*
 * TipTap's editor brings all that any editor may want, tied together so that a build keeps every part. Ours write short
 * texts: the parts below stay behind, 8 kB of the first touch of a text. A part that is not where it is looked for
 * fails the build.
 */

/** Ways into Markdown and out of it: our texts are kept as what they are. */
const OF_MARKDOWN = ['markdownTokenName', 'markdownTokenizer', 'markdownOptions', 'parseMarkdown', 'renderMarkdown']

/** Commands that neither our code nor a key of the extensions calls. */
const UNUSED_COMMANDS = [
  'clearContent cut deleteNode enter forEach insertDefaultBlock joinDown joinUp joinItemBackward',
  'joinItemForward joinTextblockBackward joinTextblockForward keyboardShortcut lift resetAttributes',
  'selectParentNode setTextDirection toggleWrap unsetAllMarks unsetTextDirection updateAttributes',
  'updateDecorations wrapIn',
].flatMap((names) => names.split(' '))

/** Extensions of every editor that tell what nobody of ours hears: a drop, a paste, what was deleted; a direction. */
const UNUSED_EXTENSIONS = ['Drop', 'Paste', 'Delete', 'TextDirection']

/** Classes for what we do not make: decorations by extensions, and a way to look through a text by selectors. */
const UNUSED_CLASSES: Readonly<Record<string, string>> = {
  DecorationManager: 'class { plugin = null; destroy() {} liveWidgetKeys() { return new Set() } }',
  NodePos: `class { constructor() { throw new Error('NodePos is left out of the build') } }`,
}

type Named = Node & { name?: string; key?: Named; id?: Named; init?: Node; callee?: Named & { object?: Named } }
const nameOf = (node: Named) => node.callee?.object?.name ?? node.name ?? ''

/** What of the editor's own file goes, and what stands in its place. */
function cutsOfCore(program: Node): { node: Node; by: string | null }[] {
  const cuts: { node: Node; by: string | null }[] = []
  for (const node of nodesIn(program) as Generator<Named & Record<string, unknown>>) {
    if (node.type === 'VariableDeclarator' && UNUSED_CLASSES[node.id?.name ?? ''])
      cuts.push({ node: node.init!, by: UNUSED_CLASSES[node.id!.name!]! })
    if (node.type === 'VariableDeclarator' && UNUSED_EXTENSIONS.includes(node.id?.name ?? ''))
      cuts.push({ node: node.init!, by: 'undefined' })
    if (node.type === 'VariableDeclarator' && node.id?.name === 'commands_exports') {
      const [{ properties }] = (node.init as unknown as { arguments: [{ properties: Named[] }] }).arguments
      for (const one of properties)
        if (UNUSED_COMMANDS.includes(one.key?.name ?? '')) cuts.push({ node: one, by: null })
    }
    const elements = node.type === 'ArrayExpression' ? (node.elements as Named[]) : []
    if (elements.some((one) => nameOf(one) === 'FocusEvents'))
      for (const one of elements) if (UNUSED_EXTENSIONS.includes(nameOf(one))) cuts.push({ node: one, by: null })
  }
  return cuts
}

const CUTS_OF_CORE = UNUSED_COMMANDS.length + 2 * UNUSED_EXTENSIONS.length + Object.keys(UNUSED_CLASSES).length

/** Leaves out what of TipTap our editors of texts do not use. */
export function leanEditor(): Plugin {
  return {
    name: 'lean-editor',
    apply: 'build',
    transform(code, id) {
      if (id.includes('/web/src/modules/mail-template/')) {
        for (const name of UNUSED_COMMANDS)
          if (new RegExp(String.raw`(?:commands|chain\(\)|\))\s*\.${name}\(`).test(code))
            this.error(`${id} calls ${name}, which web/lean-editor.ts leaves out of the build`)
        return null
      }
      if (!id.includes('/node_modules/@tiptap/')) return null
      const program = this.parse(code) as unknown as Node
      const isCore = id.endsWith('/@tiptap/core/dist/index.js')
      const cuts = isCore
        ? cutsOfCore(program)
        : [...nodesIn(program)].flatMap((node) =>
            node.type === 'Property' && OF_MARKDOWN.includes((node as Named).key?.name ?? '')
              ? [{ node, by: null }]
              : [],
          )
      if (isCore && cuts.length !== CUTS_OF_CORE)
        throw new Error(`TipTap has ${cuts.length} of ${CUTS_OF_CORE} parts where they are looked for`)
      let lean = code
      for (const { node, by } of cuts.toSorted((one, other) => other.node.start - one.node.start))
        lean = by === null ? withoutProperty(lean, node) : lean.slice(0, node.start) + by + lean.slice(node.end)
      return { code: lean, map: null }
    },
  }
}
