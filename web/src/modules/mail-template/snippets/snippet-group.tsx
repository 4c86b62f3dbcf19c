import type { Snippet } from '@waybill/contract/email/snippet'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { lateWindow } from '../../../ui/windows/late-window.tsx'
import { useEditorTools } from '../editor/editor-tools.ts'
import { shortLanguage } from '../template-names.ts'
import { plainWords } from '../text/catalogue.ts'
import classes from './snippets.module.css'

const SnippetWindow = lateWindow(() => import('./snippet-window.tsx').then((file) => file.SnippetWindow))

export interface SnippetGroupProps {
  departmentId: number
  /** What is looked for */
  typed: string
  /** Puts it in at the caret; null while no text takes it */
  onPut: ((snippet: Snippet) => void) | null
  /** Puts it in as a paragraph of its own */
  onOwn: ((snippet: Snippet) => void) | null
}

/** The snippets of the department, above the fields. */
export function SnippetGroup({ departmentId, typed, onPut, onOwn }: SnippetGroupProps) {
  const { t } = useTranslation('mail-template')
  const { snippets: known, language } = useEditorTools()
  const snippets = known.items
  const [isManaging, setManaging] = useState(false)
  const words = plainWords(typed.trim())
  const shown = snippets.filter(({ name }) => plainWords(name).includes(words))
  if (words !== '' && shown.length === 0) return null
  return (
    <section aria-label={t('snippet.title')} className={classes.group}>
      <header>
        <h3>{t('snippet.title')}</h3>
        {snippets.length === 0 ? null : (
          <IconButton icon="edit" isSmall label={t('snippet.manage')} onClick={() => setManaging(true)} />
        )}
      </header>
      {snippets.length === 0 && !known.areComing ? <p className={classes.none}>{t('snippet.none')}</p> : null}
      {shown.map((snippet) => (
        <div key={snippet.id} className={classes.row}>
          <button
            type="button"
            disabled={onPut === null}
            title={onPut === null ? t('putFieldFirst') : t('snippet.put', { name: snippet.name })}
            // The text keeps the caret where the snippet goes.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPut?.(snippet)}
          >
            <span>{snippet.name}</span>
            {snippet.language === language ? null : (
              <span className={classes.language}>{shortLanguage(snippet.language)}</span>
            )}
          </button>
          <IconButton
            icon="plus"
            isSmall
            label={t('snippet.own', { name: snippet.name })}
            disabled={onOwn === null}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onOwn?.(snippet)}
          />
        </div>
      ))}
      {isManaging ? <SnippetWindow departmentId={departmentId} onClose={() => setManaging(false)} /> : null}
    </section>
  )
}
