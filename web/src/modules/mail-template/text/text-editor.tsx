import { Editor, type Extensions, type JSONContent } from '@tiptap/core'
import { NodeSelection, Selection } from '@tiptap/pm/state'
import type { MailBlockKind } from '@waybill/contract/mail-blocks'
import type { Line, PaperText, RichText } from '@waybill/contract/kit/rich-text'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { isSame } from '../../../kit/form/state/values.ts'
import { useEditorTools } from '../editor/editor-tools.ts'
import { putAtCaret } from '../snippets/put-snippet.ts'
import type { KnownSnippets } from '../snippets/use-snippets.ts'
import { AskingMenu } from './asking-menu.tsx'
import { FallbackField } from './fallback-field.tsx'
import { putIn } from './put-in.ts'
import { docOfLine, docOfText, lineOfDoc, textOfDoc } from './rich-doc.ts'
import classes from './text.module.css'
import { extensionsFor, type Asking } from './text-extensions.ts'
import type { Ahead } from './typed-ahead.ts'

/** A chip that is chosen: its place in the text and what stands there without a value. */
interface ChosenChip {
  at: number
  key: string
  fallback: string | null
}

type Text = Line | RichText | PaperText

/** What a text may hold, and the way into the editor and out of it. */
export interface TextShape {
  extensions: (...given: [Parameters<typeof extensionsFor>[1], Parameters<typeof extensionsFor>[2]]) => Extensions
  docOf: (text: never) => JSONContent
  valueOf: (doc: JSONContent) => Text
}

const LINE: TextShape = {
  extensions: (...given) => extensionsFor(true, ...given),
  docOf: docOfLine,
  valueOf: lineOfDoc,
}
const RICH: TextShape = {
  extensions: (...given) => extensionsFor(false, ...given),
  docOf: docOfText,
  valueOf: textOfDoc,
}

const NO_SNIPPETS: KnownSnippets = { items: [], areComing: false }

export interface TextEditorProps {
  value: Text
  isLine: boolean
  /** Kept the same between renders; left out: that of a line or of running text */
  shape?: TextShape
  /** It takes the focus only when it is asked to */
  isQuiet?: boolean
  label: string
  /** Its path in the form, for the way from an error */
  path: string
  onChange: (value: Text) => void
  /** Where the pointer wants the caret, px of the window; null: at the end */
  point: { left: number; top: number } | null
  /** Without it `/` is an ordinary letter */
  onBlock?: (what: MailBlockKind | RichText) => void
  isWrong?: boolean
  /** Takes what was typed before the editor was here */
  takeAhead?: () => Ahead[]
}

const chipIn = (editor: Editor): ChosenChip | null => {
  const { selection } = editor.state
  if (!(selection instanceof NodeSelection) || selection.node.type.name !== 'variable') return null
  const { key, fallback } = selection.node.attrs as { key: string; fallback: string | null }
  return { at: selection.from, key, fallback }
}

const attributesOf = (label: string, isLine: boolean, isWrong: boolean): Record<string, string> => ({
  role: 'textbox',
  'aria-label': label,
  'aria-multiline': String(!isLine),
  ...(isWrong ? { 'aria-invalid': 'true' } : {}),
  class: classes.words!,
})

/** The one text that is being written in. It takes the focus as it appears. */
export function TextEditor({
  value,
  isLine,
  shape = isLine ? LINE : RICH,
  isQuiet = false,
  label,
  path,
  onChange,
  point,
  onBlock,
  isWrong = false,
  takeAhead,
}: TextEditorProps) {
  const { t } = useTranslation('mail-template')
  const tools = useEditorTools()
  const place = useRef<HTMLDivElement>(null)
  const [asking, setAsking] = useState<Asking | null>(null)
  const [chip, setChip] = useState<ChosenChip | null>(null)
  const [editor, setEditor] = useState<Editor | null>(null)
  const menuKey = useRef<((event: KeyboardEvent) => boolean) | null>(null)
  // What an Escape has put away stays away while the same word is typed.
  const putAway = useRef<number | null>(null)
  const latest = useRef({ tools, onChange, given: value })
  latest.current.tools = tools
  latest.current.onChange = onChange
  const { setEditor: tell } = tools
  const hearKeys = useCallback((press: ((event: KeyboardEvent) => boolean) | null) => {
    menuKey.current = press
  }, [])

  useLayoutEffect(() => {
    const made = new Editor({
      element: place.current!,
      extensions: shape.extensions(
        { lookOf: (key, fallback) => latest.current.tools.lookOf(key, fallback), className: classes.chip! },
        {
          withBlocks: onBlock !== undefined,
          onAsk: (next) => {
            if (next === null || next.from !== putAway.current) putAway.current = null
            const shown = next !== null && next.from === putAway.current ? null : next
            setAsking((known) => (isSame(known, shown) ? known : shown))
          },
          onKey: (event) => menuKey.current?.(event) ?? false,
        },
      ),
      content: shape.docOf(latest.current.given as never),
      editorProps: { attributes: attributesOf(label, isLine, isWrong) },
      onUpdate: ({ editor: own }) => {
        const next = shape.valueOf(own.getJSON())
        latest.current.given = next
        latest.current.onChange(next)
      },
      onTransaction: ({ editor: own }) =>
        setChip((known) => {
          const next = chipIn(own)
          return isSame(known, next) ? known : next
        }),
    })
    const at = point === null ? null : (made.view.posAtCoords(point)?.pos ?? null)
    const { doc, tr } = made.state
    made.view.dispatch(tr.setSelection(at === null ? Selection.atEnd(doc) : Selection.near(doc.resolve(at))))
    // At once, and not a frame later as the editor's own command does: the next key may be on its way.
    if (!isQuiet) made.view.focus()
    setEditor(made)
    tell(made)
    // Before the next key is heard, and after this drawing: a list that a key opens has to hear the one after it.
    queueMicrotask(() => {
      if (!made.isDestroyed) for (const typed of takeAhead?.() ?? []) flushSync(() => putIn(made.view, typed))
    })
    return () => {
      tell(null)
      made.destroy()
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- one editor a text: what changes later reaches it by refs
  }, [])

  // A block that was moved is called by its new place.
  useEffect(() => {
    if (editor !== null && !editor.isDestroyed)
      editor.view.setProps({ attributes: attributesOf(label, isLine, isWrong) })
  }, [editor, label, isLine, isWrong])

  // What others put in its place: a draft that is discarded, a conflict that is settled, a field that is mended.
  // Within the same turn: later the next letter may stand there already, and would be taken away again.
  useLayoutEffect(() => {
    if (editor === null || editor.isDestroyed || isSame(value, latest.current.given)) return
    latest.current.given = value
    editor.commands.setContent(shape.docOf(value as never), { emitUpdate: false })
  }, [editor, value, shape])

  const insertField = (key: string, { from, to }: Asking) => {
    editor
      ?.chain()
      .focus()
      .insertContentAt({ from, to }, [
        { type: 'variable', attrs: { key } },
        ...(needsSpace(editor, to) ? [{ type: 'text', text: ' ' }] : []),
      ])
      .run()
  }
  return (
    <>
      <div ref={place} className={classes.place} data-path={path} data-line={isLine || undefined} />
      {asking === null || editor === null ? null : (
        <AskingMenu
          key={asking.kind}
          asking={asking}
          onKeys={hearKeys}
          view={editor.view}
          onField={(key) => insertField(key, asking)}
          onBlock={(kind) => {
            editor.chain().focus().deleteRange(asking).run()
            onBlock?.(kind)
          }}
          snippets={isLine ? NO_SNIPPETS : tools.snippets}
          onSnippet={(text) => {
            if (asking.kind === 'field') putAtCaret(editor, text, asking)
            else {
              editor.chain().focus().deleteRange(asking).run()
              onBlock?.(text)
            }
          }}
          onClose={() => {
            putAway.current = asking.from
            setAsking(null)
          }}
        />
      )}
      {chip === null || editor === null ? null : (
        <FallbackField
          key={`${chip.at} ${chip.key}`}
          name={tools.catalogue.labelOf(chip.key)}
          value={chip.fallback}
          label={t('fallback.label', { field: tools.catalogue.labelOf(chip.key) })}
          onChange={(fallback) => {
            const { state, view } = editor
            const tr = state.tr.setNodeAttribute(chip.at, 'fallback', fallback)
            view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, chip.at)))
          }}
          onDone={() => editor.commands.focus(chip.at + 1)}
        />
      )}
    </>
  )
}

/** A field at the end of what is typed is followed by more words. */
function needsSpace(editor: Editor, at: number): boolean {
  const $at = editor.state.doc.resolve(at)
  return $at.parentOffset === $at.parent.content.size
}
