import type { EditorView } from '@tiptap/pm/view'
import type { MailBlockKind } from '@waybill/contract/mail-blocks'
import type { RichText } from '@waybill/contract/kit/rich-text'
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal, flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { BLOCK_ICONS, BLOCK_KINDS } from '../blocks/block-kinds.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'
import type { KnownSnippets } from '../snippets/use-snippets.ts'
import { plainWords } from './catalogue.ts'
import { putIn } from './put-in.ts'
import classes from './text.module.css'
import type { Asking } from './text-extensions.ts'
import { aheadOf, type Ahead } from './typed-ahead.ts'

interface Offer {
  key: string
  label: string
  /** What it would say for the chosen order */
  value: ReactNode
  lead?: ReactNode
  take: () => void
}

interface AskingMenuProps {
  asking: Asking
  /** Kept the same between renders: takes what hears the keys of the text while the list is open */
  onKeys: (press: ((event: KeyboardEvent) => boolean) | null) => void
  /** The text that keeps the focus */
  view: EditorView
  onField: (key: string) => void
  onBlock: (kind: MailBlockKind) => void
  /** Those that this text takes */
  snippets: KnownSnippets
  onSnippet: (text: RichText) => void
  onClose: () => void
}

const MOST = 8

/** The list at the caret: fields behind `{`, blocks behind `/`. The text keeps the focus. */
export function AskingMenu({ asking, onKeys, view, onField, onBlock, snippets, onSnippet, onClose }: AskingMenuProps) {
  const { t } = useTranslation('mail-template')
  const { catalogue, values } = useEditorTools()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { words, kind } = asking
  const offered: Offer[] =
    kind === 'field'
      ? catalogue.find(words).map((field) => ({
          key: field.key,
          label: field.label,
          value: values[field.key] ?? '',
          take: () => onField(field.key),
        }))
      : BLOCK_KINDS.filter((one) => t(`block.${one}`).toLocaleLowerCase().includes(words.toLocaleLowerCase())).map(
          (one) => ({
            key: one,
            label: t(`block.${one}`),
            value: '',
            lead: <Icon name={BLOCK_ICONS[one]} />,
            take: () => onBlock(one),
          }),
        )
  const found = snippets.items.filter(({ name }) => plainWords(name).includes(plainWords(words.trim())))
  const all: Offer[] = [
    ...offered,
    ...found.map(({ id: number, name, text }) => ({
      key: `snippet-${number}`,
      label: name,
      value: t('snippet.sign'),
      take: () => onSnippet(text),
    })),
  ]
  const [{ marked, ofWords }, setMarked] = useState({ marked: 0, ofWords: words })
  const at = ofWords === words ? Math.min(marked, Math.max(0, all.length - 1)) : 0
  const first = Math.max(0, Math.min(at - MOST + 1, all.length - MOST))
  const offers = all.slice(first, first + MOST)
  // Enter behind the name of a snippet that has not come yet, and what was typed after it.
  const held = useRef<Ahead[]>([])
  const release = useEffectEvent(() => {
    for (const typed of held.current.splice(0))
      queueMicrotask(() => {
        if (!view.isDestroyed) flushSync(() => putIn(view, typed))
      })
  })
  const press = useEffectEvent((event: KeyboardEvent): boolean => {
    if (event.key === 'Escape') {
      // It closes the list, not what lies below.
      event.stopPropagation()
      onClose()
      return true
    }
    if (all.length === 0 && snippets.areComing && (event.key === 'Enter' || held.current.length > 0)) {
      const typed = aheadOf(event)
      if (typed === null) return false
      held.current.push(typed)
      return true
    }
    if (all.length === 0 || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : -1
      setMarked({ marked: (at + step + all.length) % all.length, ofWords: words })
      return true
    }
    if (event.key !== 'Enter' && event.key !== 'Tab') return false
    all[at]!.take()
    return true
  })
  useEffect(() => {
    onKeys((event) => press(event))
    return () => {
      onKeys(null)
      release()
    }
  }, [onKeys])
  useEffect(() => {
    if (!snippets.areComing) release()
  }, [snippets.areComing])
  const markedId = all.length === 0 ? null : `${id}-${all[at]!.key}`
  const box = view.dom
  useEffect(() => {
    box.setAttribute('aria-controls', id)
    if (markedId === null) box.removeAttribute('aria-activedescendant')
    else box.setAttribute('aria-activedescendant', markedId)
    return () => {
      box.removeAttribute('aria-controls')
      box.removeAttribute('aria-activedescendant')
    }
  }, [box, id, markedId])
  // Above the caret where there is no room below.
  useLayoutEffect(() => {
    const menu = list.current!
    const { offsetHeight, offsetWidth } = menu
    const isAbove = asking.bottom + offsetHeight + 8 > innerHeight
    menu.style.top = `${isAbove ? Math.max(4, asking.bottom - offsetHeight - 26) : asking.bottom + 6}px`
    menu.style.left = `${Math.max(4, Math.min(asking.left - 8, innerWidth - offsetWidth - 8))}px`
  })
  return createPortal(
    <div ref={list} className={classes.menu}>
      <div className={classes.menuHead} role="status">
        {kind === 'field'
          ? t('asking.fields', { count: all.length, words })
          : t('asking.blocks', { count: all.length })}
      </div>
      <div role="listbox" id={id} aria-label={t(kind === 'field' ? 'fields' : 'blocks')}>
        {offers.map((offer) => (
          <div
            key={offer.key}
            id={`${id}-${offer.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={offer === all[at]}
            className={classes.offer}
            onPointerDown={(event) => {
              event.preventDefault()
              offer.take()
            }}
          >
            {offer.lead}
            <span>
              <Found text={offer.label} words={words} />
            </span>
            <span className={classes.offerValue}>{offer.value}</span>
          </div>
        ))}
      </div>
      <div className={classes.menuKeys} aria-hidden>
        <KeyHint>↑</KeyHint> <KeyHint>↓</KeyHint> {t('asking.choose')}
        <KeyHint>Enter</KeyHint> {t('asking.insert')}
        <KeyHint>Esc</KeyHint> {t('asking.leave')}
      </div>
    </div>,
    document.body,
  )
}

/** The letters that were typed stand out. */
function Found({ text, words }: { text: string; words: string }) {
  const at = words === '' ? -1 : text.toLocaleLowerCase().indexOf(words.toLocaleLowerCase())
  if (at === -1) return text
  return (
    <>
      {text.slice(0, at)}
      <b>{text.slice(at, at + words.length)}</b>
      {text.slice(at + words.length)}
    </>
  )
}
