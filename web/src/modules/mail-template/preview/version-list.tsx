import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Language } from '@waybill/contract/errors'
import type { Reference } from '@waybill/contract/kit/fields'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { IconButton } from '../../../ui/marks/icon-button.tsx'
import { Mark } from '../../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { compared } from '../editor/template-values.ts'
import { numbered } from '../numbered.ts'
import classes from './preview.module.css'

/** What a text said once, and who wrote it when. */
export interface KeptText {
  version: number
  editedAt: string | null
  editedBy: Reference | null
}

interface VersionListProps<Kept extends KeptText> {
  /** The version in use; 0: the standard */
  current: number
  language: Language
  /** Names the text among what is remembered of the server */
  queryKey: readonly unknown[]
  load: (signal: AbortSignal) => Promise<{ items: Kept[] }>
  /** How many fields are changed and not saved */
  changed: number
  /** A text in plain lines; null: the one that stands in the form now */
  linesOf: (kept: Kept | null) => string[]
  onRestore: (kept: Kept) => void
  onClose: () => void
}

/** What a text said before; the newest first, each to be compared with what stands here now. */
export function VersionList<Kept extends KeptText>({
  current,
  language,
  queryKey,
  load,
  changed,
  linesOf,
  onRestore,
  onClose,
}: VersionListProps<Kept>) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  const [open, setOpen] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => load(signal),
    gcTime: 0,
  })
  return (
    <section className={classes.column} aria-label={t('versions.title')}>
      <div className={classes.head}>
        <h2 className={classes.title}>{t('versions.of', { language: LANGUAGE_NAMES[language] })}</h2>
        <IconButton icon="close" isSmall label={t('versions.close')} onClick={onClose} />
      </div>
      <div className={classes.list} tabIndex={-1}>
        {error ? <LoadError error={error} onRetry={() => void refetch()} /> : null}
        {data === undefined && !error ? <SkeletonLines lines={6} label={t('versions.title')} /> : null}
        {changed === 0 ? null : (
          <div className={classes.version}>
            <span className={classes.versionNumber}>{t('versions.now')}</span>
            <span>{t('versions.unsaved', { count: changed })}</span>
          </div>
        )}
        {data?.items.length === 0 ? <p className={classes.note}>{t('versions.none')}</p> : null}
        {data?.items.map((kept) => {
          const isInUse = kept.version === current
          return (
            <div key={kept.version} className={classes.version} data-on={open === kept.version || undefined}>
              <span className={classes.versionNumber}>{format.number(kept.version)}</span>
              <span className={classes.who}>
                <b>{kept.editedBy?.title ?? '–'}</b>
                <time dateTime={kept.editedAt!}>{format.dateTime(kept.editedAt!)}</time>
              </span>
              {isInUse ? <Mark>{t('versions.inUse')}</Mark> : null}
              <Button
                size="compact-sm"
                aria-expanded={open === kept.version}
                aria-label={t('versions.compareOne', { version: kept.version })}
                onClick={() => setOpen(open === kept.version ? null : kept.version)}
              >
                {t('versions.compare')}
              </Button>
              <Button
                size="compact-sm"
                disabled={isInUse && changed === 0}
                aria-label={t('versions.restoreOne', { version: kept.version })}
                onClick={() => onRestore(kept)}
              >
                {t('versions.restore')}
              </Button>
              {open === kept.version ? (
                <ol className={classes.lines} aria-label={t('versions.differences')}>
                  {numbered(compared(linesOf(kept), linesOf(null))).map(({ key: line, item: { text, is } }) => (
                    <li key={line} data-is={is}>
                      <span aria-hidden>{is === 'gone' ? '−' : is === 'new' ? '+' : ''}</span>
                      {is === 'same' ? null : <span className={classes.hidden}>{t(`versions.${is}`)}</span>}
                      <span>{text}</span>
                    </li>
                  ))}
                </ol>
              ) : null}
            </div>
          )
        })}
        <p className={classes.note}>{t('versions.means')}</p>
      </div>
    </section>
  )
}
