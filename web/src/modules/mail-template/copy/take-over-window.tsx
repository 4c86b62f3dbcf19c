import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Template } from '@waybill/contract/email/template'
import { useMemo, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { currentLanguage, useFormat } from '../../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../../kit/i18n/languages.ts'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ModalFrame } from '../../../ui/windows/confirm-modal.tsx'
import { DepartmentSelect } from '../../department/department-select.tsx'
import { useValueNames } from '../editor/use-value-names.ts'
import { numbered } from '../numbered.ts'
import { catalogueOf } from '../text/catalogue.ts'
import classes from './take-over.module.css'
import { sourceText, type WantedText } from './source-text.ts'

interface TakeOverWindowProps {
  /** Into which the text goes */
  departmentId: number
  wanted: WantedText
  /** What is lost by it, said before it is done; null: nothing */
  warning: string | null
  /** Between the department and the text */
  children?: ReactNode
  error?: string | undefined
  isBusy?: boolean
  /** It can be done now */
  isReady?: boolean
  onTake: (text: Template) => void
  onClose: () => void
}

/** Shows what another department says in this mail, and takes it over once that is confirmed. */
export function TakeOverWindow(props: TakeOverWindowProps) {
  const { departmentId, wanted, warning, children, error, isBusy = false, isReady = true, onTake, onClose } = props
  const { t } = useTranslation('mail-template')
  const [from, setFrom] = useState<number | null>(null)
  const [fromTitle, setFromTitle] = useState('')
  const isSelf = from === departmentId
  const source = useQuery({
    queryKey: ['take-over', from, wanted],
    queryFn: ({ signal }) => sourceText(from!, wanted, signal),
    enabled: from !== null && !isSelf,
    gcTime: 0,
  })
  const text = from === null || isSelf ? null : (source.data ?? null)
  const canTake = text !== null && isReady
  return (
    <ModalFrame
      isOpen
      onClose={onClose}
      title={t('takeOver.open')}
      closeLabel={t('close')}
      onSubmit={() => {
        if (canTake && !isBusy) onTake(text)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" variant="filled" loading={isBusy} disabled={!canTake}>
            {t('takeOver.confirm')}
          </Button>
        </>
      }
    >
      <div className={classes.fields}>
        <DepartmentSelect
          label={t('takeOver.department')}
          value={from}
          error={isSelf ? t('takeOver.same') : undefined}
          onChange={(id, reference) => {
            setFrom(id)
            setFromTitle(reference?.title ?? '')
          }}
        />
        {children}
        {from === null || isSelf ? null : source.error ? (
          <LoadError error={source.error} onRetry={() => void source.refetch()} />
        ) : source.data === undefined ? (
          <SkeletonLines lines={4} label={t('takeOver.loading')} />
        ) : source.data === null ? (
          <Notice tone="warn">
            {t('takeOver.missing', { department: fromTitle, language: LANGUAGE_NAMES[wanted.language] })}
          </Notice>
        ) : (
          <Shown text={source.data} />
        )}
        {error === undefined ? null : (
          <Notice tone="danger" isUrgent>
            {error}
          </Notice>
        )}
        {warning === null ? null : <Notice tone="warn">{warning}</Notice>}
        <p className={classes.keeps}>{t('takeOver.keeps')}</p>
      </div>
    </ModalFrame>
  )
}

/** The text in plain lines, with what it is. */
function Shown({ text }: { text: Template }) {
  const { t } = useTranslation('mail-template')
  const format = useFormat()
  const { type, variant, isOwn, editedAt, language } = text
  const catalogue = useMemo(
    () => catalogueOf({ type, variant }, currentLanguage(), (group) => t(`group.${group}`)),
    [type, variant, t],
  )
  const { linesOf } = useValueNames(catalogue)
  const what = !isOwn
    ? t('takeOver.standard')
    : editedAt === null
      ? t('takeOver.ownUndated')
      : t('takeOver.own', { date: format.day(editedAt) })
  return (
    <section className={classes.shown} aria-label={what}>
      <h3>{what}</h3>
      <div lang={language} tabIndex={0} role="group" aria-label={t('text')}>
        {numbered(linesOf(text)).map(({ key, item }) => (
          <p key={key}>{item}</p>
        ))}
      </div>
    </section>
  )
}
