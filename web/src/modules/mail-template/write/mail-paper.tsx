import type { Editor } from '@tiptap/core'
import type { MailBlock } from '@waybill/contract/mail-blocks'
import type { MailPage } from '@waybill/contract/email/by-hand'
import { useMemo, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage } from '../../../kit/i18n/i18n.ts'
import { useFetchOnTouch } from '../../../ui/windows/fetch-on-touch.ts'
import { EditorToolsProvider, type EditorTools } from '../editor/editor-tools.ts'
import { useSnippets } from '../snippets/use-snippets.ts'
import { catalogueOf } from '../text/catalogue.ts'
import { StaticLine, StaticText } from '../text/static-text.tsx'
import { fetchTextEditor, WrittenText, type Point } from '../text/written-text.tsx'
import classes from './write.module.css'

interface MailPaperProps {
  page: MailPage
  blocks: readonly MailBlock[]
  onChange: (block: MailBlock) => void
}

interface InHand {
  id: string | null
  point: Point | null
}

/** The mail as it arrives: its words can be changed where they stand, what the order gives has a grey edge. */
export function MailPaper({ page, blocks, onChange }: MailPaperProps) {
  const { t } = useTranslation('mail-template')
  useFetchOnTouch(fetchTextEditor)
  const [inHand, setInHand] = useState<InHand>({ id: null, point: null })
  const [editor, setEditor] = useState<Editor | null>(null)
  const { type, variant, language, values } = page
  const snippets = useSnippets(page.departmentId, language)
  const catalogue = useMemo(
    () => catalogueOf({ type, variant }, currentLanguage(), (group) => t(`group.${group}`)),
    [type, variant, t],
  )
  const tools = useMemo(
    (): EditorTools => ({
      catalogue,
      language,
      values,
      // A value reads as it will arrive; what has none says what it is waiting for.
      lookOf: (key, fallback) => ({
        label: values[key] ?? fallback ?? catalogue.labelOf(key),
        isKnown: (values[key] ?? fallback) !== null && (values[key] ?? fallback) !== undefined,
        title: catalogue.labelOf(key),
      }),
      editor,
      setEditor,
      snippets,
      addBlock: () => undefined,
      say: () => undefined,
    }),
    [catalogue, language, values, editor, snippets],
  )
  return (
    <EditorToolsProvider value={tools}>
      <div className={classes.paper} lang={language}>
        {blocks.map((block, index) =>
          block.kind === 'paragraph' || block.kind === 'heading' ? (
            <Written
              key={`${language} ${block.id}`}
              block={block}
              name={t('placed', { name: t(`block.${block.kind}`), place: index + 1 })}
              inHand={inHand}
              onSelect={setInHand}
              onChange={onChange}
            />
          ) : (
            <Given key={block.id} html={page.parts[block.id] ?? ''} name={t(`block.${block.kind}`)} />
          ),
        )}
      </div>
    </EditorToolsProvider>
  )
}

/** What the order gives: changed there, not here. */
function Given({ html, name }: { html: string; name: string }) {
  if (html === '') return null
  return (
    <div
      className={classes.given}
      role="group"
      aria-label={name}
      // Wide tables scroll in themselves on a phone.
      tabIndex={0}
      // The server made this html of the order's values, escaped, and sanitised it.
      dangerouslySetInnerHTML={{ __html: html }}
    />
  )
}

interface WrittenProps {
  block: Extract<MailBlock, { kind: 'paragraph' | 'heading' }>
  name: string
  inHand: InHand
  onSelect: (next: InHand) => void
  onChange: (block: MailBlock) => void
}

function Written({ block, name, inHand, onSelect, onChange }: WrittenProps) {
  const isLine = block.kind === 'heading'
  const isOpen = inHand.id === block.id
  const path = `blocks.${block.id}`
  // Before the text hears it: there Escape would choose the whole text.
  const hear = (event: KeyboardEvent<HTMLElement>) => {
    const { target } = event
    if (event.key !== 'Escape' || !isOpen) return
    if (!(target instanceof HTMLElement) || !target.isContentEditable || target.hasAttribute('aria-controls')) return
    event.preventDefault()
    event.stopPropagation()
    onSelect({ id: null, point: null })
    event.currentTarget.focus()
  }
  return (
    <div
      className={classes.written}
      data-heading={isLine || undefined}
      data-open={isOpen || undefined}
      role="group"
      aria-label={name}
      tabIndex={-1}
      onKeyDownCapture={hear}
    >
      <WrittenText
        value={block.text}
        isLine={isLine}
        isOpen={isOpen}
        label={name}
        path={path}
        point={inHand.point}
        onSelect={(point) => onSelect({ id: block.id, point })}
        onChange={(text) => onChange({ ...block, text } as MailBlock)}
      >
        {isLine ? <StaticLine line={block.text} /> : <StaticText text={block.text} />}
      </WrittenText>
    </div>
  )
}
