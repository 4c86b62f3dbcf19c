import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Language } from '@waybill/contract/errors'
import { inviteUser, userApi, type User } from '@waybill/contract/user'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { FormPage, useFormTabs } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useSession } from '../../kit/session/session.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { useGrantsMore } from '../user-role/user-role-select.tsx'
import { UserAccess } from './user-access.tsx'
import { userPath } from './user-columns.tsx'
import { UserGeneral } from './user-general.tsx'
import { UserPermissions } from './user-permissions.tsx'
import { emptyUser, userBodyOf, userValuesOf, type UserValues } from './user-values.ts'
import { isDerivedUserField, useUserLabels, useUserStateQuestion, useUserWords } from './user-words.ts'

/** One person: who they are, where they work, what they may do. */
export function UserFormPage() {
  const { t } = useTranslation('user')
  return <StoredRecord api={userApi} label={t('one')} lines={10} form={UserForm} />
}

/** A person who is still to be taken in. */
export function UserNewPage() {
  const { t } = useTranslation('user')
  return <NewRecord api={userApi} label={t('create')} lines={10} form={UserForm} />
}

const TABS = ['general', 'permissions'] as const

function UserForm({ view, draft }: FormRecord<User | null, UserValues>) {
  const { t, i18n } = useTranslation('user')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const session = useSession()
  const labelOf = useUserLabels()
  const [isInviting, setInviting] = useState(false)
  // Every field stands in the first part; the second is to be read.
  const tabs = useFormTabs(TABS, () => 'general')
  const isForeign = view?.position?.isAdmin === true && session?.rights.isAdmin !== true
  const isOwn = view !== null && view.id === session?.profile.id
  const holdsMore = useGrantsMore(view?.roleId ?? null) && !isOwn
  const refreshMails = () => void queries.invalidateQueries({ queryKey: ['emails'] })
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
    onSaved: useAfterSave(view, { name: 'user', titleOf: ({ fullName }) => fullName, pathOf: userPath }),
  })
  const user = form.view
  const wordsOf = useUserWords(user, idsInClashes(form.conflict, 'departmentId'))
  const history = useRecordHistory({ userId: user?.id ?? null }, { labelOf, wordsOf, isDerived: isDerivedUserField })
  const state = useStateOfRecord(userApi, form, useUserStateQuestion())

  /** Saves what is typed, then sends the mail; what could not be sent is told on the saved person's page. */
  const invite = async () => {
    setInviting(true)
    const isNew = form.view === null
    try {
      const saved = isNew || form.changes().length > 0 ? await form.save(isNew) : form.view
      if (saved === null) return
      try {
        const invited = await callApi(inviteUser, {
          params: { id: saved.id },
          version: saved.version,
          idempotencyKey: newIdempotencyKey(),
        })
        form.accept(invited)
        notify({ tone: 'ok', title: t('invited', { email: invited.email }), closeLabel: t('form:close') })
      } catch (error) {
        if (isNew || !form.takeRefusal(error))
          notify({ tone: 'danger', title: t('notInvited'), detail: errorText(error), closeLabel: t('form:close') })
      }
      refreshMails()
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
      state={isForeign || holdsMore ? { ...state, button: null } : state}
      history={history}
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
    >
      {isForeign ? <Notice icon="lock">{t('foreignAdministrator')}</Notice> : null}
      {tabs.current === 'general' ? (
        <>
          <UserGeneral user={user} />
          {user === null ? null : (
            <UserAccess
              user={user}
              form={form}
              isForeign={isForeign}
              mayReset={!isForeign && !holdsMore}
              isInviting={isInviting}
              onInvite={() => void invite()}
              onChanged={refreshMails}
            />
          )}
        </>
      ) : (
        <UserPermissions />
      )}
    </FormPage>
  )
}
