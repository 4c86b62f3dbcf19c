import { Button } from '@mantine/core'
import type { Language } from '@waybill/contract/errors'
import type { ChangeValue } from '@waybill/contract/order/intake/mail-draft'
import { useEffect, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcut } from '../../../../kit/shortcuts/shortcuts.ts'
import { SelectField } from '../../../../ui/fields/select-field.tsx'
import { KeyHint } from '../../../../ui/marks/marks.tsx'
import { ModalFrame } from '../../../../ui/windows/confirm-modal.tsx'
import classes from '../intake.module.css'
import { valueOfWords } from './selected-value.ts'

/** Words of a mail's text that somebody has selected, with their place in it. */
export interface Words {
  text: string
  from: number
  to: number
}

/** What is selected of a text; null where nothing of it is, or something else as well. */
function selectedIn(body: HTMLElement | null): Words | null {
  const selection = getSelection()
  if (body === null || selection === null || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  if (range.collapsed || !body.contains(range.commonAncestorContainer)) return null
  const before = document.createRange()
  before.setStart(body, 0)
  before.setEnd(range.startContainer, range.startOffset)
  const written = range.toString()
  const text = written.trim()
  const from = before.toString().length + written.indexOf(text)
  return text === '' ? null : { text, from, to: from + text.length }
}

interface SelectedWordsProps {
  body: RefObject<HTMLElement | null>
  /** the field in hand, which they most likely are */
  current: string | null
  fields: () => readonly string[]
  labelOf: (path: string) => string
  wordsOf: (path: string, value: ChangeValue) => string
  onTake: (path: string, value: ChangeValue, words: Words) => void
}

/** *The selected words are …*: whoever sees a value that was not read puts it where it belongs. */
export function SelectedWords({ body, current, fields, labelOf, wordsOf, onTake }: SelectedWordsProps) {
  const { t } = useTranslation('intake')
  const [words, setWords] = useState<Words | null>(null)
  const [asked, setAsked] = useState<Words | null>(null)
  useEffect(() => {
    const look = () => setWords(selectedIn(body.current))
    document.addEventListener('selectionchange', look)
    return () => document.removeEventListener('selectionchange', look)
  }, [body])
  const ask = () => setAsked(selectedIn(body.current))
  useShortcut({ key: 'F2', label: t('keys.words'), run: ask, isEverywhere: true })
  return (
    <>
      {words === null ? null : (
        <div className={classes.reading}>
          <Button size="compact-sm" onMouseDown={(event) => event.preventDefault()} onClick={ask}>
            {t('words.ask')} <KeyHint>F2</KeyHint>
          </Button>
        </div>
      )}
      {asked === null ? null : (
        <WordsWindow
          words={asked}
          first={current}
          fields={fields()}
          labelOf={labelOf}
          wordsOf={wordsOf}
          onTake={(path, value) => {
            setAsked(null)
            onTake(path, value, asked)
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

interface WordsWindowProps extends Pick<SelectedWordsProps, 'labelOf' | 'wordsOf'> {
  words: Words
  first: string | null
  fields: readonly string[]
  onTake: (path: string, value: ChangeValue) => void
  onClose: () => void
}

function WordsWindow({ words, first, fields, labelOf, wordsOf, onTake, onClose }: WordsWindowProps) {
  const { t, i18n } = useTranslation(['intake', 'common'])
  const [path, setPath] = useState<string | null>(first !== null && fields.includes(first) ? first : null)
  const value = path === null ? null : valueOfWords(path, words.text, i18n.language as Language)
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('intake:words.title')}
      closeLabel={t('common:close')}
      onSubmit={() => {
        if (path !== null && value !== null) onTake(path, value)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" variant="filled" disabled={value === null}>
            {t('intake:words.do')}
          </Button>
        </>
      }
    >
      <blockquote className={classes.words}>{words.text}</blockquote>
      <SelectField
        label={t('intake:words.field')}
        placeholder={t('intake:words.choose')}
        data={fields.map((one) => ({ value: one, label: labelOf(one) }))}
        value={path}
        searchable
        data-autofocus
        error={path !== null && value === null ? t('intake:words.none') : undefined}
        onChange={setPath}
      />
      <p className={classes.dim} role="status">
        {path === null || value === null ? null : t('intake:words.becomes', { value: wordsOf(path, value) })}
      </p>
    </ModalFrame>
  )
}
