import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../../ui/notices/notice.tsx'
import type { EntityForm, FormApi } from '../state/entity-form.ts'
import classes from './form-messages.module.css'
import { UnsavedNotice } from './unsaved-notice.tsx'

interface FormMessagesProps<Api extends FormApi, Values extends object> {
  form: EntityForm<Api, Values>
  /** What a field is called, with the part of the form it stands in */
  labelOf: (path: string) => string
  /** A field's value in words */
  wordsOf: (path: string, value: unknown) => ReactNode
  /** Who saved meanwhile; null while it is not known */
  other?: string | null
}

/** What stands above a form: what another person saved, what is wrong, what was restored. */
export function FormMessages<Api extends FormApi, Values extends object>({
  form,
  labelOf,
  wordsOf,
  other = null,
}: FormMessagesProps<Api, Values>) {
  const hasConflict = form.conflict !== null
  return (
    <>
      {hasConflict ? <ConflictPanel form={form} labelOf={labelOf} wordsOf={wordsOf} other={other} /> : null}
      {form.problems.length > 0 ? <ErrorSummary form={form} labelOf={labelOf} /> : null}
      {form.restoredFrom !== null ? <UnsavedNotice keptAt={form.restoredFrom} onDiscard={form.discard} /> : null}
    </>
  )
}

function ErrorSummary<Api extends FormApi, Values extends object>({
  form,
  labelOf,
}: {
  form: EntityForm<Api, Values>
  labelOf: (path: string) => string
}) {
  const { t } = useTranslation('form')
  return (
    <div className={classes.summary}>
      <Notice tone="danger" isUrgent>
        <b>{form.problemsTitle}</b> {t('errors.title', { count: form.problems.length })}
        <ul className={classes.errors}>
          {form.problems.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <button type="button" className={classes.link} onClick={() => form.goTo(path)}>
                {labelOf(path)}
              </button>
              {': '}
              {message}
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  )
}

function ConflictPanel<Api extends FormApi, Values extends object>({
  form,
  labelOf,
  wordsOf,
  other,
}: Required<FormMessagesProps<Api, Values>>) {
  const { t } = useTranslation('form')
  const conflict = form.conflict!
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const [isOpen, setOpen] = useState(conflict.clashes.length === 0)
  const choose = (path: string, isTheirs: boolean) => {
    const next = new Set(theirs)
    if (isTheirs) next.add(path)
    else next.delete(path)
    setTheirs(next)
  }
  const name = other ?? t('conflict.somebody')
  const apply = () => {
    form.settle(({ path }) => theirs.has(path))
    void form.save()
  }
  return (
    <Notice tone="warn" icon="users" isUrgent>
      <p>
        <b>{t('conflict.saved', { name })}</b>{' '}
        {conflict.clashes.length > 0
          ? t('conflict.clashes', { count: conflict.clashes.length })
          : t('conflict.noClash')}{' '}
        {conflict.taken.length > 0 ? t('conflict.taken', { count: conflict.taken.length }) : null}
      </p>
      {conflict.clashes.length > 0 ? (
        <div className={classes.clashes} data-path="clashes" role="group" aria-label={t('conflict.choose')}>
          <span className={classes.head}>{t('conflict.field')}</span>
          <span className={classes.head}>{t('conflict.mine')}</span>
          <span className={classes.head}>{t('conflict.theirs', { name })}</span>
          {conflict.clashes.map((clash) => (
            <div key={clash.path} role="radiogroup" aria-label={labelOf(clash.path)} className={classes.clash}>
              <span>{labelOf(clash.path)}</span>
              <Choice name={clash.path} isChosen={!theirs.has(clash.path)} onChoose={() => choose(clash.path, false)}>
                {wordsOf(clash.path, clash.mine)}
              </Choice>
              <Choice name={clash.path} isChosen={theirs.has(clash.path)} onChoose={() => choose(clash.path, true)}>
                {wordsOf(clash.path, clash.theirs)}
              </Choice>
            </div>
          ))}
        </div>
      ) : null}
      {isOpen && conflict.taken.length > 0 ? (
        <ul className={classes.taken}>
          {conflict.taken.map((change) => (
            <li key={change.path}>
              {labelOf(change.path)}: <s>{wordsOf(change.path, change.from)}</s> →{' '}
              <b>{wordsOf(change.path, change.to)}</b>
            </li>
          ))}
        </ul>
      ) : null}
      <div className={classes.actions}>
        <Button size="compact-sm" variant="filled" loading={form.isSaving} onClick={apply}>
          {t(conflict.clashes.length > 0 ? 'conflict.apply' : 'conflict.saveBoth')}
        </Button>
        {conflict.taken.length > 0 && conflict.clashes.length > 0 ? (
          <Button size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {t('conflict.all')}
          </Button>
        ) : null}
      </div>
    </Notice>
  )
}

function Choice({
  name,
  isChosen,
  onChoose,
  children,
}: {
  name: string
  isChosen: boolean
  onChoose: () => void
  children: ReactNode
}) {
  return (
    <label className={classes.choice}>
      <input type="radio" name={`clash ${name}`} checked={isChosen} onChange={onChoose} />
      {children}
    </label>
  )
}
