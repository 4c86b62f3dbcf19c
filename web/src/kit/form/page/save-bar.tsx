import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { StickyBar } from '../../../ui/page/page-head.tsx'
import { useShortcut } from '../../shortcuts/shortcuts.ts'
import classes from './save-bar.module.css'
import type { EntityForm, FormApi } from '../state/entity-form.ts'
import { useChanges } from '../state/change-store.ts'

type AnyForm<Api extends FormApi, Values extends object> = { form: EntityForm<Api, Values> }

/** How much is not saved yet; nothing while everything is. */
export function UnsavedMark<Api extends FormApi, Values extends object>({ form }: AnyForm<Api, Values>) {
  const { t } = useTranslation('form')
  const { length } = useChanges(form)
  return (
    <span className={classes.unsaved} data-on={length > 0 || undefined} role="status">
      {length > 0 ? t('unsaved', { count: length }) : ''}
    </span>
  )
}

/** Saves; also by Ctrl+S. Outlined where the view's one primary button is another. */
export function SaveButton<Api extends FormApi, Values extends object>({
  form,
  isPrimary = true,
}: AnyForm<Api, Values> & { isPrimary?: boolean }) {
  const { t } = useTranslation('form')
  const save = () => void form.save()
  useShortcut({ key: 's', mod: true, label: t('save'), run: save, isEverywhere: true }, !form.context.isReadOnly)
  return (
    <Button
      variant={isPrimary ? 'filled' : 'default'}
      className={classes.save}
      loading={form.isSaving}
      disabled={form.context.isReadOnly}
      onClick={save}
    >
      {t('save')}
    </Button>
  )
}

/** The phone's bar at the bottom, in place of the tabs. */
export function PhoneSaveBar<Api extends FormApi, Values extends object>({
  form,
  isPrimary = true,
}: AnyForm<Api, Values> & { isPrimary?: boolean }) {
  const { t } = useTranslation('form')
  const { length } = useChanges(form)
  return (
    <div className={classes.phone}>
      <StickyBar label={t('saveBar')}>
        <UnsavedMark form={form} />
        <span className={classes.gap} />
        <Button disabled={length === 0} onClick={form.discard}>
          {t('discard')}
        </Button>
        <Button
          variant={isPrimary ? 'filled' : 'default'}
          loading={form.isSaving}
          disabled={form.context.isReadOnly}
          onClick={() => void form.save()}
        >
          {t('save')}
        </Button>
      </StickyBar>
    </div>
  )
}
