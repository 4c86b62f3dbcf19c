import { Button } from '@mantine/core'
import type { PlacedVariable } from '@waybill/contract/kit/rich-text'
import { useTranslation } from 'react-i18next'
import { focusPath } from '../../../kit/form/state/focus-path.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { KeyHint } from '../../../ui/marks/marks.tsx'
import classes from './editor.module.css'
import { useEditorTools } from './editor-tools.ts'

interface EditorFootProps {
  /** What is being moved, and to where */
  said: string | null
  unknown: readonly PlacedVariable[]
  counts: { blocks: number; fields: number }
  /** 0: the standard */
  version: number
  onMend: (from: string, to: string) => void
}

/** The column's foot speaks: what is moved, what is wrong and how it is mended, else that all is well. */
export function EditorFoot({ said, unknown, counts, version, onMend }: EditorFootProps) {
  const { t } = useTranslation('mail-template')
  const { catalogue } = useEditorTools()
  const wrong = unknown[0]
  const mend = wrong === undefined ? null : catalogue.nearest(wrong.key)
  const isWrong = said === null && wrong !== undefined
  return (
    <footer className={classes.foot} data-wrong={isWrong || undefined}>
      <span className={classes.said} role="status">
        {said === null ? null : (
          <>
            <Icon name="grip" /> <b>{said}</b>
          </>
        )}
        {isWrong ? (
          <>
            <Icon name="alert" className={classes.bad} />
            <span>
              <button type="button" title={t('foot.goTo')} onClick={() => focusPath(pathOf(wrong))}>
                {wrong.key}
              </button>{' '}
              {t('foot.unknown', { count: unknown.filter(({ key }) => key === wrong.key).length })}
            </span>
          </>
        ) : null}
        {said === null && wrong === undefined ? (
          <>
            <Icon name="check" className={classes.good} />
            <span>
              {t('foot.blocks', { count: counts.blocks })}, {t('foot.fields', { count: counts.fields })}
            </span>
          </>
        ) : null}
      </span>
      {isWrong ? (
        <span className={classes.mends}>
          {mend === null ? null : (
            <Button size="compact-sm" onClick={() => onMend(wrong.key, mend.key)}>
              {t('foot.use', { field: mend.label })}
            </Button>
          )}
        </span>
      ) : null}
      {said === null ? null : (
        <span className={classes.hint} aria-hidden>
          <KeyHint>↑</KeyHint> <KeyHint>↓</KeyHint> {t('foot.move')} <KeyHint>{t('foot.space')}</KeyHint>{' '}
          {t('foot.drop')} <KeyHint>Esc</KeyHint> {t('foot.back')}
        </span>
      )}
      {said === null && wrong === undefined ? (
        <span className={classes.hint}>{version === 0 ? t('foot.own') : t('foot.next')}</span>
      ) : null}
    </footer>
  )
}

/** The text or row in which a field stands: it is what can be opened. */
const pathOf = ({ path }: PlacedVariable): string =>
  path[0] === 'subject' ? 'subject' : path.slice(0, path[2] === 'text' ? 3 : 2).join('.')
