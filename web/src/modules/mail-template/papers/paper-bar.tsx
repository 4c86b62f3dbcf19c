import type { Command } from '@tiptap/pm/state'
import { isBlankPaper, type RichText } from '@waybill/contract/kit/rich-text'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { LinkField, withScheme } from '../editor/block-bar.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'
import editorClasses from '../editor/editor.module.css'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { touchedText } from '../snippets/put-snippet.ts'
import { textOfDoc } from '../text/rich-doc.ts'
import { MOST_COLUMNS, MOST_ROWS, NEW_TABLE, sizeAt, TABLE_COMMANDS } from './paper-extensions.ts'
import classes from './papers.module.css'

const KeepSnippet = lateWindow(() => import('../snippets/keep-snippet.tsx').then((file) => file.KeepSnippet))

/** What can be done with the words in hand, and with the table that they stand in. */
export function PaperBar({ departmentId }: { departmentId: number }) {
  const { t } = useTranslation('paper-template')
  const mail = useTranslation('mail-template').t
  const { editor, language } = useEditorTools()
  const [keeping, setKeeping] = useState<RichText | null>(null)
  const [linking, setLinking] = useState<string | null>(null)
  const [, draw] = useState(0)
  useEffect(() => {
    if (editor === null) return undefined
    const again = () => draw((times) => times + 1)
    editor.on('transaction', again)
    return () => {
      editor.off('transaction', again)
    }
  }, [editor])
  const isReady = editor !== null && !editor.isDestroyed
  const touched = isReady ? touchedText(editor, textOfDoc) : []
  const size = isReady ? sizeAt(editor.state) : null
  const chain = () => editor!.chain().focus()
  const tool = (label: string, sign: ReactNode, run: () => void, given: { isOn?: boolean; isOff?: boolean } = {}) => (
    <button
      type="button"
      className={editorClasses.tool}
      aria-label={label}
      title={label}
      aria-pressed={given.isOn}
      disabled={!isReady || given.isOff}
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      {sign}
    </button>
  )
  const marked = (name: string, attributes?: object) => ({ isOn: isReady && editor.isActive(name, attributes) })
  const listed = (name: 'bulletList' | 'orderedList') => () => void chain().toggleList(name, 'listItem').run()
  const inTable = (command: Command) => () => {
    const { state, view } = editor!
    command(state, view.dispatch)
    view.focus()
  }
  if (linking !== null && isReady)
    return (
      <div className={classes.bar} role="toolbar" aria-label={t('tools')}>
        <LinkField
          first={linking}
          onClose={() => setLinking(null)}
          onSet={(href) => {
            setLinking(null)
            const range = chain().extendMarkRange('link')
            if (href.trim() === '') range.unsetMark('link').run()
            else range.setMark('link', { href: withScheme(href) }).run()
          }}
        />
      </div>
    )
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('tools')}>
      {tool(mail('tool.bold'), <b>B</b>, () => void chain().toggleMark('bold').run(), marked('bold'))}
      {tool(mail('tool.italic'), <i>I</i>, () => void chain().toggleMark('italic').run(), marked('italic'))}
      {([1, 2] as const).map((level) => (
        <span key={level}>
          {tool(
            t('tool.heading', { level }),
            `H${level}`,
            () => void chain().toggleNode('heading', 'paragraph', { level }).run(),
            marked('heading', { level }),
          )}
        </span>
      ))}
      {tool(
        mail('tool.link'),
        <Icon name="link" />,
        () => setLinking((editor!.getAttributes('link').href as string | undefined) ?? ''),
        marked('link'),
      )}
      {tool(mail('tool.bulletList'), <Icon name="list" />, listed('bulletList'), marked('bulletList'))}
      {tool(mail('tool.orderedList'), '1.', listed('orderedList'), marked('orderedList'))}
      {tool(mail('tool.field'), '{ }', () => void chain().insertContent('{').run())}
      {tool(mail('snippet.keep'), <Icon name="note" />, () => setKeeping(touched), { isOff: isBlankPaper(touched) })}
      {keeping === null ? null : (
        <KeepSnippet departmentId={departmentId} language={language} text={keeping} onClose={() => setKeeping(null)} />
      )}
      <span className={editorClasses.line} />
      {size === null ? (
        tool(t('table.insert'), t('table.one'), () => {
          const at = editor!.state.selection.from
          chain()
            .insertContent([NEW_TABLE, { type: 'paragraph' }])
            .setTextSelection(at + 3)
            .run()
        })
      ) : (
        <>
          {tool(t('table.addRow'), `${t('table.row')} +`, inTable(TABLE_COMMANDS.addRow), {
            isOff: size.rows >= MOST_ROWS,
          })}
          {tool(t('table.removeRow'), '−', inTable(TABLE_COMMANDS.removeRow), {
            isOff: size.rows === 1,
          })}
          {tool(t('table.addColumn'), `${t('table.column')} +`, inTable(TABLE_COMMANDS.addColumn), {
            isOff: size.columns >= MOST_COLUMNS,
          })}
          {tool(t('table.removeColumn'), '−', inTable(TABLE_COMMANDS.removeColumn), {
            isOff: size.columns === 1,
          })}
          {tool(t('table.remove'), <Icon name="trash" />, inTable(TABLE_COMMANDS.removeTable))}
        </>
      )}
    </div>
  )
}
