import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Language } from '@waybill/contract/errors'
import { inviteUser, userApi, type User } from '@waybill/contract/user'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormPage, useFormTabs } from '../../kit/form/form-page.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useSession } from '../../kit/session/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { Notice } from '../../ui/notice.tsx'
import { notify } from '../../ui/notify.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
import { UserAccess } from './user-access.tsx'
import { userPath } from './user-columns.tsx'
import { UserGeneral } from './user-general.tsx'
import { UserPermissions } from './user-permissions.tsx'
import { emptyUser, userBodyOf, userValuesOf, type UserValues } from './user-values.ts'
import { isDerivedUserField, useUserLabels, useUserStateQuestion, useUserWords } from './user-words.ts'

/** One person: who they are, where they work, what they may do. */
export function UserFormPage() {
  const { t } = useTranslation('user')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof userApi, UserValues>(userApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={10} label={t('one')} />
  return <UserForm key={id} view={data.view} draft={data.draft} />
}

/** A person who is still to be taken in. */
export function UserNewPage() {
  const { t } = useTranslation('user')
  const { data, error, refetch } = useNewRecordDraft<UserValues>(userApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={10} label={t('create')} />
  return <UserForm view={null} draft={data.draft} />
}

const TABS = ['general', 'permissions'] as const

function UserForm({ view, draft }: { view: User | null; draft: Draft<UserValues> | null }) {
  const { t, i18n } = useTranslation('user')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const session = useSession()
  const rail = useHistoryRail()
  const labelOf = useUserLabels()
  const [isInviting, setInviting] = useState(false)
  // Every field stands in the first part; the second is to be read.
  const tabs = useFormTabs(TABS, () => 'general')
  const isForeign = view?.position?.isAdmin === true && session?.rights.isAdmin !== true
  const refreshAround = () => {
    void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    void queries.invalidateQueries({ queryKey: ['emails'] })
  }
  const [empty] = useState(() => emptyUser(i18n.language as Language))
  const form = useEntityForm<typeof userApi, UserValues>({
    api: userApi,
    view,
    draft,
    empty,
    valuesOf: userValuesOf,
    bodyOf: userBodyOf,
    isReadOnly: isForeign,
    reveal: (path) => tabs.select(tabs.tabOf(path)),
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { name: saved.fullName }), closeLabel: t('form:close') })
      refreshAround()
      if (view === null && !isLeaving) void navigate({ to: userPath(saved.id) })
    },
  })
  const user = form.view
  const owner = { userId: user?.id ?? 0 }
  const [newest] = useHistory(owner, user !== null).data?.pages[0]?.items ?? []
  const departments = (form.conflict?.clashes ?? []).flatMap(({ path, mine, theirs }) => (path === 'departmentId' ? [mine, theirs] : [])).filter((one) => typeof one === 'number')
  const wordsOf = useUserWords(user, departments)
  const state = useStateChange({
    api: userApi,
    question: useUserStateQuestion(),
    onChanged: (changed) => {
      form.accept(changed)
      refreshAround()
    },
    takeRefusal: form.takeRefusal,
  })

  /** Saves what is typed, then sends the mail; what could not be sent is told on the saved person's page. */
  const invite = async () => {
    setInviting(true)
    const isNew = form.view === null
    try {
      const saved = isNew || form.changes().length > 0 ? await form.save(isNew) : form.view
      if (saved === null) return
      try {
        const invited = await callApi(inviteUser, { params: { id: saved.id }, version: saved.version, idempotencyKey: newIdempotencyKey() })
        form.accept(invited)
        notify({ tone: 'ok', title: t('invited', { email: invited.email }), closeLabel: t('form:close') })
      } catch (error) {
        if (isNew || !form.takeRefusal(error)) notify({ tone: 'danger', title: t('notInvited'), detail: errorText(error), closeLabel: t('form:close') })
      }
      refreshAround()
      if (isNew) await navigate({ to: userPath(saved.id) })
    } finally {
      setInviting(false)
    }
  }
  return (
    <FormPage
      form={form}
      name={user?.fullName ?? t('create')}
      back={{ to: '/users', label: t('back') }}
      note={user?.state === 'inactive' ? <Mark level={2}>{t('list:state.inactive')}</Mark> : null}
      actions={
        user === null ? null : (
          <>
            <IconButton icon="history" label={t('history:title')} aria-pressed={rail.isOpen} onClick={rail.toggle} />
            {isForeign ? null : <Button onClick={() => state.ask(user)}>{t(user.state === 'active' ? 'change.inactive.confirm' : 'change.active.confirm')}</Button>}
          </>
        )
      }
      {...(user === null
        ? {
            mainAction: (
              <Button variant="filled" loading={isInviting} onClick={() => void invite()}>
                {t('createAndInvite')}
              </Button>
            ),
          }
        : {})}
      tabs={{ ...tabs, label: t('parts'), labels: { general: t('tab.general'), permissions: t('tab.permissions') } }}
      labelOf={labelOf}
      wordsOf={wordsOf}
      other={newest?.actor?.title ?? null}
      aside={user !== null && rail.isOpen ? <HistoryRail owner={owner} onHide={rail.toggle} labelOf={labelOf} wordsOf={wordsOf} isDerived={isDerivedUserField} /> : null}
    >
      {isForeign ? <Notice icon="lock">{t('foreignAdministrator')}</Notice> : null}
      {tabs.current === 'general' ? (
        <>
          <UserGeneral user={user} />
          {user === null ? null : <UserAccess user={user} form={form} isForeign={isForeign} isInviting={isInviting} onInvite={() => void invite()} onChanged={refreshAround} />}
        </>
      ) : (
        <UserPermissions />
      )}
      {state.dialog}
    </FormPage>
  )
}
