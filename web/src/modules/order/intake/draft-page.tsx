import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import {
  assignIntakeMail,
  closeIntakeMail,
  getIntakeMail,
  isOpenMail,
  listIntakeMails,
  reopenIntakeMail,
  takeIntakeMail,
  type IntakeMail,
} from '@waybill/contract/intake/intake'
import { getMailDrafts, type MailDrafts } from '@waybill/contract/order/intake/mail-draft'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { BackLink } from '../../../kit/form/page/back-link.tsx'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { currentSession } from '../../../kit/session/session.ts'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { notify } from '../../../ui/notices/notify.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { orderPath } from '../values/paths.ts'
import { ChangeList } from './changes/change-list.tsx'
import { DraftForm } from './draft-form.tsx'
import classes from './intake.module.css'
import { MailPane } from './mail-pane.tsx'
import { AssignWindow, NotOrderWindow } from './mail-windows.tsx'
import { mailPath } from './mail-words.ts'
import { blockOfChange } from './read-marks.ts'
import { useTaughtNotice } from './taught-notice.ts'

/** A mail beside the order that it becomes. */
export function IntakeDraftPage() {
  const { t } = useTranslation(['intake', 'order', 'common'])
  const { id: named } = useParams({ strict: false }) as { id?: string }
  const id = Number(named)
  const mail = useQuery({
    queryKey: ['intake-mails', id],
    queryFn: ({ signal }) => callApi(getIntakeMail, { params: { id }, signal }),
    refetchOnWindowFocus: false,
  })
  // For which mail a person has said that it is an order all the same.
  const [asOrderId, setAsOrderId] = useState<number | null>(null)
  const isAsOrder = asOrderId === id
  const drafts = useQuery({
    queryKey: draftsKey(id, isAsOrder),
    queryFn: ({ signal }) =>
      callApi(getMailDrafts, { params: { id }, query: isAsOrder ? { as: 'order' } : {}, signal }),
    refetchOnWindowFocus: false,
    gcTime: 0,
  })
  const error = mail.error ?? drafts.error
  if (error !== null)
    return <LoadError error={error} onRetry={() => void Promise.all([mail.refetch(), drafts.refetch()])} />
  if (mail.data === undefined || drafts.data === undefined)
    return <SkeletonLines lines={12} label={t('intake:draft.title')} />
  return (
    <Work
      key={`${id} ${isAsOrder}`}
      mail={mail.data}
      drafts={drafts.data}
      isAsOrder={isAsOrder}
      onAsOrder={() => setAsOrderId(id)}
    />
  )
}

const draftsKey = (id: number, isAsOrder: boolean) => ['intake-mails', id, 'drafts', isAsOrder] as const

/** What can be done with a mail as a whole. */
function useMailActions(mail: IntakeMail) {
  const { t } = useTranslation(['intake', 'common'])
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const { id, version } = mail
  const done = {
    onSuccess: (changed: IntakeMail) => {
      client.setQueryData(['intake-mails', id], changed)
      void client.invalidateQueries({
        queryKey: ['intake-mails'],
        predicate: ({ queryKey }) => queryKey[1] !== id,
      })
    },
    onError: (error: unknown) => {
      void client.invalidateQueries({ queryKey: ['intake-mails', id], exact: true })
      notify({ tone: 'warn', title: refusalWords(error).join('. '), closeLabel: t('common:close') })
    },
  }
  const call = { params: { id }, version }
  return {
    take: useMutation({ mutationFn: () => callApi(takeIntakeMail, call), ...done }),
    takeOver: useMutation({
      mutationFn: async () => {
        const given = await callApi(assignIntakeMail, { ...call, body: { userId: currentSession()!.profile.id } })
        return callApi(takeIntakeMail, { params: { id }, version: given.version })
      },
      ...done,
    }),
    giveBack: useMutation({
      mutationFn: () => callApi(assignIntakeMail, { ...call, body: { userId: null } }),
      ...done,
    }),
    /** of a mail that has orders: nothing more is in it */
    close: useMutation({ mutationFn: () => callApi(closeIntakeMail, { ...call, body: { reason: null } }), ...done }),
    reopen: useMutation({
      mutationFn: () => callApi(reopenIntakeMail, call),
      onSuccess: (changed: IntakeMail) => {
        done.onSuccess(changed)
        void client.invalidateQueries({ queryKey: ['intake-mails', id, 'drafts'] })
      },
      onError: done.onError,
    }),
  }
}

function Work({
  mail,
  drafts,
  isAsOrder,
  onAsOrder,
}: {
  mail: IntakeMail
  drafts: MailDrafts
  isAsOrder: boolean
  onAsOrder: () => void
}) {
  const { t } = useTranslation(['intake', 'order', 'common'])
  const navigate = useNavigate()
  const client = useQueryClient()
  const actions = useMailActions(mail)
  const sayWhatWasTaught = useTaughtNotice(mail)
  const [position, setPosition] = useState(() => drafts.drafts.find(({ isSaved }) => !isSaved)?.position ?? 0)
  const isChange = (mail.kind === 'change' || mail.kind === 'cancel') && !isAsOrder
  const userId = currentSession()?.profile.id
  const isOthers = mail.state === 'drafted' && mail.assignedTo?.id !== userId
  const isMine = mail.state === 'drafted' && !isOthers
  const mayTake = mail.state === 'new' && (mail.assignedTo === null || mail.assignedTo.id === userId)
  const { take, giveBack } = actions
  // What was just given back is not taken again.
  const isKept = giveBack.isIdle
  useEffect(() => {
    if (mayTake && isKept && take.isIdle) take.mutate()
  }, [mayTake, isKept, take])

  const goNext = async () => {
    // What has waited longest comes first, and nothing that a colleague is to do.
    const { items } = await callApi(listIntakeMails, { query: { perPage: 10, waitsForMe: true, sort: 'receivedAt' } })
    const next = items.find(({ id }) => id !== mail.id)
    await navigate({ to: next === undefined ? '/intake' : mailPath(next.id) })
  }
  /** Goes on with the next draft of the mail; false where none is left. */
  const goOn = (): boolean => {
    const next = drafts.drafts.find((one) => !one.isSaved && one.position !== position)
    client.setQueryData<MailDrafts>(draftsKey(mail.id, isAsOrder), {
      ...drafts,
      drafts: drafts.drafts.map((one) => (one.position === position ? { ...one, isSaved: true } : one)),
    })
    if (next !== undefined) setPosition(next.position)
    return next !== undefined
  }
  const filed = (changed: IntakeMail) => {
    if (!isOpenMail(changed.state)) void goNext()
    else if (!isChange) goOn()
  }
  const saved = async (orderId: number, wantsNext: boolean) => {
    void client.invalidateQueries({ queryKey: ['orders'] })
    void sayWhatWasTaught()
    if (goOn()) {
      await client.invalidateQueries({ queryKey: ['intake-mails', mail.id], exact: true })
      return
    }
    await client.invalidateQueries({ queryKey: ['intake-mails'], refetchType: 'none' })
    if (wantsNext) await goNext()
    else await navigate({ to: orderPath(orderId) as string })
  }
  // The form is still there for a moment, and would ask whether to leave it.
  const backToAll = () =>
    giveBack.mutate(undefined, { onSuccess: () => void navigate({ to: '/intake', ignoreBlocker: true }) })
  const [asked, setAsked] = useState<'close' | 'assign' | null>(null)
  const hasSome = mail.orders.length + mail.quotes.length > 0
  const close = () =>
    hasSome ? actions.close.mutate(undefined, { onSuccess: () => void goNext() }) : setAsked('close')
  const windows =
    asked === 'close' ? (
      <NotOrderWindow mail={mail} onDone={() => void goNext()} onClose={() => setAsked(null)} />
    ) : asked === 'assign' ? (
      <AssignWindow
        mail={mail}
        onDone={() => void navigate({ to: '/intake', ignoreBlocker: true })}
        onClose={() => setAsked(null)}
      />
    ) : null

  const notice =
    isOthers || (mail.state === 'new' && mail.assignedTo !== null && !mayTake) ? (
      <Notice tone="warn">
        {t('intake:inHand', { name: mail.assignedTo!.title })}{' '}
        <Button size="compact-sm" loading={actions.takeOver.isPending} onClick={() => actions.takeOver.mutate()}>
          {t('intake:takeOver')}
        </Button>
      </Notice>
    ) : mail.state === 'not_order' ? (
      <Notice>
        {t('intake:isNoOrder')}{' '}
        <Button size="compact-sm" loading={actions.reopen.isPending} onClick={() => actions.reopen.mutate()}>
          {t('intake:orderAfterAll')}
        </Button>
      </Notice>
    ) : mail.state === 'saved' || mail.orders.length + mail.quotes.length > 0 ? (
      <Notice tone="ok">
        {t(mail.orders.length + mail.quotes.length === 0 ? 'intake:state.saved' : 'intake:savedAs')}{' '}
        {mail.orders.map(({ id, title }) => (
          <Link key={id} to={orderPath(id) as string} className={classes.order}>
            {title}
          </Link>
        ))}
        {mail.quotes.map(({ id, title }) => (
          <Link key={`quote ${id}`} to="/quotes/edit/$id" params={{ id: String(id) }} className={classes.order}>
            {title}
          </Link>
        ))}
        {mail.mayReopen ? (
          <Button size="compact-sm" loading={actions.reopen.isPending} onClick={() => actions.reopen.mutate()}>
            {t('intake:reopen')}
          </Button>
        ) : null}
      </Notice>
    ) : null
  const draft = drafts.drafts[position]!
  if (!isOpenMail(mail.state) || isOthers || isChange || !isMine)
    return (
      <div className={classes.work}>
        {windows}
        <PageHead
          lead={<BackLink to="/intake" label={t('intake:back')} />}
          title={t(isChange ? 'intake:change.title' : 'intake:draft.title')}
          actions={
            isOpenMail(mail.state) && !isOthers ? (
              <>
                {isMine ? (
                  <>
                    <Button variant="subtle" onClick={() => setAsked('assign')}>
                      {t('intake:assign.open')}
                    </Button>
                    <Button variant="subtle" loading={giveBack.isPending} onClick={backToAll}>
                      {t('intake:giveBack')}
                    </Button>
                  </>
                ) : null}
                <Button onClick={close}>{t(hasSome ? 'intake:nothingMore' : 'intake:notOrder')}</Button>
              </>
            ) : null
          }
        />
        <div className={classes.columns}>
          <MailPane
            mail={mail}
            passages={drafts.changes.flatMap(({ span, field }, index) =>
              span === null
                ? []
                : [{ path: `changes.${index}`, from: span[0], to: span[1], block: blockOfChange(field) }],
            )}
            current={null}
            labelOf={() => ''}
            onPick={(path) => document.getElementById(path)?.focus()}
          />
          <div className={classes.form}>
            {notice}
            <ChangeList
              mail={mail}
              drafts={drafts}
              isOpen={isMine}
              onFiled={filed}
              onOrder={isChange && isMine ? onAsOrder : null}
            />
          </div>
        </div>
      </div>
    )
  return (
    <>
      {windows}
      <DraftForm
        key={position}
        mail={mail}
        draft={draft}
        drafts={drafts.drafts}
        onPosition={setPosition}
        onSaved={(orderId, wantsNext) => void saved(orderId, wantsNext)}
        onClose={close}
        onGiveBack={backToAll}
        onAssign={() => setAsked('assign')}
        onFiled={filed}
      />
    </>
  )
}
