import type { MailBlock } from '@waybill/contract/mail-blocks'
import { isBlankPaper, type RichText } from '@waybill/contract/kit/rich-text'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../../ui/marks/icon.tsx'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import classes from './editor.module.css'
import { useEditorTools } from './editor-tools.ts'

const KeepSnippet = lateWindow(() => import('../snippets/keep-snippet.tsx').then((file) => file.KeepSnippet))

export interface BlockActions {
  move: (from: number, to: number) => void
  duplicate: (index: number) => void
  remove: (index: number) => void
  toggleIf: (index: number) => void
}

/** The field of the condition stands above all else in a block. */
const focusCondition = (index: number) =>
  document.querySelector<HTMLElement>(`[data-path="blocks.${index}"] [role="combobox"]`)?.focus()

interface BlockBarProps {
  departmentId: number
  blocks: readonly MailBlock[]
  inHand: string | null
  actions: BlockActions
}

/** What can be done with the block in hand. It has its place from the start, so that nothing moves below it. */
export function BlockBar({ departmentId, blocks, inHand, actions }: BlockBarProps) {
  const { t } = useTranslation('mail-template')
  const { editor, language } = useEditorTools()
  const [keeping, setKeeping] = useState<RichText | null>(null)
  const [linking, setLinking] = useState<string | null>(null)
  useRedrawn()
  const index = blocks.findIndex(({ id }) => id === inHand)
  const block = index === -1 ? null : blocks[index]!
  const canFormat = block?.kind === 'paragraph' && editor !== null && !editor.isDestroyed
  const format = (name: string, label: string, sign: ReactNode, run: () => void) => (
    <button
      type="button"
      className={classes.tool}
      aria-label={label}
      title={label}
      aria-pressed={canFormat && editor.isActive(name)}
      disabled={!canFormat}
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      {sign}
    </button>
  )
  const setLink = (href: string) => {
    setLinking(null)
    const chain = editor!.chain().focus().extendMarkRange('link')
    const address = href.trim()
    if (address === '') chain.unsetMark('link').run()
    else {
      chain.setMark('link', { href: withScheme(address) }).run()
    }
  }
  return (
    <div className={classes.bar} role="toolbar" aria-label={t('tools')} aria-keyshortcuts="Alt+F10">
      {linking === null || !canFormat ? (
        <>
          {format('bold', t('tool.bold'), <b>B</b>, () => void editor!.chain().focus().toggleMark('bold').run())}
          {format('italic', t('tool.italic'), <i>I</i>, () => void editor!.chain().focus().toggleMark('italic').run())}
          {format('link', t('tool.link'), <Icon name="link" />, () =>
            setLinking((editor!.getAttributes('link').href as string | undefined) ?? ''),
          )}
          {format(
            'bulletList',
            t('tool.bulletList'),
            <Icon name="list" />,
            () => void editor!.chain().focus().toggleList('bulletList', 'listItem').run(),
          )}
          {format(
            'orderedList',
            t('tool.orderedList'),
            <span>1.</span>,
            () => void editor!.chain().focus().toggleList('orderedList', 'listItem').run(),
          )}
          <button
            type="button"
            className={classes.tool}
            aria-label={t('tool.field')}
            title={t('tool.field')}
            disabled={editor === null}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => editor?.chain().focus().insertContent('{').run()}
          >
            {'{ }'}
          </button>
          <span className={classes.line} />
          <button
            type="button"
            className={classes.tool}
            aria-pressed={block !== null && block.onlyIf !== null}
            disabled={block === null}
            onClick={({ detail }) => {
              actions.toggleIf(index)
              // By a key: the way on to the condition goes past the other texts, and they would be in hand.
              if (detail === 0) requestAnimationFrame(() => focusCondition(index))
            }}
          >
            <Icon name="filter" /> {t('onlyIf.title')}
          </button>
          <IconButton
            icon="note"
            isSmall
            label={t('snippet.keep')}
            disabled={block?.kind !== 'paragraph' || isBlankPaper(block.text)}
            onClick={() => setKeeping(block?.kind === 'paragraph' ? block.text : null)}
          />
          <span className={classes.gap} />
          <IconButton
            icon="arrowUp"
            isSmall
            label={t('tool.up')}
            disabled={index < 1}
            onClick={() => actions.move(index, index - 1)}
          />
          <IconButton
            icon="arrowDown"
            isSmall
            label={t('tool.down')}
            disabled={index === -1 || index === blocks.length - 1}
            onClick={() => actions.move(index, index + 1)}
          />
          <IconButton
            icon="copy"
            isSmall
            label={t('tool.duplicate')}
            disabled={block === null}
            onClick={() => actions.duplicate(index)}
          />
          <IconButton
            icon="trash"
            isSmall
            label={t('tool.remove')}
            disabled={block === null || blocks.length === 1}
            onClick={() => actions.remove(index)}
          />
        </>
      ) : (
        <LinkField first={linking} onSet={setLink} onClose={() => setLinking(null)} />
      )}
      {keeping === null ? null : (
        <KeepSnippet departmentId={departmentId} language={language} text={keeping} onClose={() => setKeeping(null)} />
      )}
    </div>
  )
}

/** Drawn again as the caret moves: what is bold where it stands is pressed. */
function useRedrawn(): void {
  const { editor } = useEditorTools()
  const [, draw] = useState(0)
  useEffect(() => {
    if (editor === null) return undefined
    const again = () => draw((times) => times + 1)
    editor.on('transaction', again)
    return () => {
      editor.off('transaction', again)
    }
  }, [editor])
}

/** What was typed as an address: without another scheme it leads to the web. */
export const withScheme = (typed: string): string =>
  /^(https?:\/\/|mailto:|tel:)/i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`

/** Where a link is to lead, typed in place of the tools. */
export function LinkField({
  first,
  onSet,
  onClose,
}: {
  first: string
  onSet: (href: string) => void
  onClose: () => void
}) {
  const { t } = useTranslation('mail-template')
  const [typed, setTyped] = useState(first)
  // It stands in place of the button that was pressed.
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  return (
    <>
      <input
        className={classes.linkInput}
        type="url"
        ref={field}
        aria-label={t('tool.address')}
        placeholder={t('tool.addressLike')}
        maxLength={500}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') onSet(typed)
          if (event.key === 'Escape') onClose()
          if (event.key === 'Enter' || event.key === 'Escape') event.preventDefault()
        }}
      />
      <button type="button" className={classes.tool} onClick={() => onSet(typed)}>
        {t('tool.setLink')}
      </button>
      <IconButton icon="close" isSmall label={t('close')} onClick={onClose} />
    </>
  )
}
