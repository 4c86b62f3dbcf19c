import type { MailBlockKind } from '@waybill/contract/mail-blocks'
import { useTranslation } from 'react-i18next'
import type { Snippet } from '@waybill/contract/email/snippet'
import { Icon } from '../../../ui/marks/icon.tsx'
import { BLOCK_KINDS } from '../blocks/block-kinds.ts'
import { PaletteKind } from '../blocks/palette-drag.tsx'
import classes from './editor.module.css'
import { FieldList } from './field-list.tsx'

interface PaletteProps {
  departmentId: number
  onAdd: (kind: MailBlockKind) => void
  onField: (key: string) => void
  onSnippet: ((snippet: Snippet) => void) | null
  onOwnSnippet: (snippet: Snippet) => void
  /** Makes the block in hand depend on a field; null where none is in hand */
  onOnlyIf: (() => void) | null
  /** A text is being written in: a field can be put into it */
  canPut: boolean
}

/** What may be put into the mail: blocks, and the fields with what they say of the chosen order. */
export function Palette({ departmentId, onAdd, onField, onSnippet, onOwnSnippet, onOnlyIf, canPut }: PaletteProps) {
  const { t } = useTranslation('mail-template')
  return (
    <aside className={classes.palette} aria-label={t('palette')}>
      <div className={classes.paletteHead}>
        <h2>{t('blocks')}</h2>
      </div>
      <div className={classes.kinds}>
        {BLOCK_KINDS.map((kind) => (
          <PaletteKind key={kind} kind={kind} onAdd={() => onAdd(kind)} />
        ))}
        <button type="button" disabled={onOnlyIf === null} title={t('onlyIf.means')} onClick={() => onOnlyIf?.()}>
          <Icon name="filter" size={14} /> <span>{t('onlyIf.title')} …</span>
        </button>
      </div>
      <FieldList onField={onField} canPut={canPut} snippets={{ departmentId, onPut: onSnippet, onOwn: onOwnSnippet }} />
    </aside>
  )
}
