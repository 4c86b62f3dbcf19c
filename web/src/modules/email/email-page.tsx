import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { getEmail, hasNoWords, isSent, isTried, type Email, type OpenedEmail } from '@waybill/contract/email'
import { mayCancel, mayResend, maySendNow } from '@waybill/contract/email/may-send'
import { PLACE_ACCOUNT_ACCESS } from '@waybill/contract/load-carrier/place'
import { can, ORDER_ACCESS } from '@waybill/contract/permissions'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { BackLink } from '../../kit/form/page/back-link.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { EmailFiles, EmailPaper, EmailTries, MissingValues, UndoWords } from './email-parts.tsx'
import { EmailPlan } from './email-plan.tsx'
import { RefusedAddresses } from './refused-address-section.tsx'
import { EmailStateMark } from './email-state-mark.tsx'
import { useEmailWords } from './email-words.ts'
import classes from './email-page.module.css'
import { useKeptAddress } from './keep-address-section.tsx'
import { addressesIn, useEmailActions } from './use-email-actions.ts'

/** Where a mail has a page of its own. */
export const emailPath = (id: number): string => `/preview/${id}`

const MAILS = '/mails' as string

/** One mail of the outbox, whatever became of it (spec §2, Email preview). */
export function EmailPage() {
  const { t } = useTranslation('email')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useQuery({
    queryKey: ['email', Number(id)],
    queryFn: ({ signal }) => callApi(getEmail, { params: { id: Number(id) }, signal }),
    staleTime: 0,
  })
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('loading')} />
  return <EmailSheet key={data.id} email={data} />
}

function EmailSheet({ email }: { email: OpenedEmail }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  const words = useEmailWords()
  const navigate = useNavigate()
  const isUnsaid = hasNoWords(email)
  const typing = useKept<string | null>('emails/to', email.id, null)
  const typed = typing.values
  const to = typed ?? email.to.join(', ')
  const { act, busy } = useEmailActions(email.id, (made, action) => {
    if (action === 'send' || action === 'resend') void typing.forget()
    // A copy is a mail of its own.
    if (made.id !== email.id) void navigate({ to: emailPath(made.id) })
  })
  const kept = useKeptAddress(isUnsaid ? email.withoutAddress : null, email.customer?.id ?? null, addressesIn(to))
  const isForAccount = email.owner.kind === 'user'
  const why = words.why(email)
  return (
    <div className={classes.page}>
      <PageHead
        lead={<BackLink to={MAILS} label={t('back')} />}
        title={t(`types.${email.type}`)}
        note={<EmailStateMark email={email} />}
        actions={
          isForAccount ? undefined : (
            <>
              {mayCancel(email) ? (
                <Button size="compact-sm" loading={busy === 'cancel'} onClick={() => act('cancel')}>
                  {t('cancelMail')}
                </Button>
              ) : null}
              {email.undo !== null && email.undo.against === null ? (
                <Button size="compact-sm" loading={busy === 'undo'} onClick={() => act('undo')}>
                  {t('undoCancel')}
                </Button>
              ) : null}
              {maySendNow(email) ? (
                <Button
                  size="compact-sm"
                  variant="filled"
                  leftSection={<Icon name="send" />}
                  loading={busy === 'send'}
                  onClick={() => act('send', addressesIn(to), kept.keep)}
                >
                  {t(email.status === 'planned' ? 'sendNow' : 'sendAnyway')}
                </Button>
              ) : mayResend(email) ? (
                <Button
                  size="compact-sm"
                  variant="filled"
                  leftSection={<Icon name="send" />}
                  loading={busy === 'resend'}
                  onClick={() => act('resend', typed === null ? [] : addressesIn(typed))}
                >
                  {t(isTried(email) ? 'sendAgain' : 'sendAnyway')}
                </Button>
              ) : null}
            </>
          )
        }
      />
      <div className={classes.parts}>
        <div className={classes.side}>
          <EmailPlan email={email} />
          <Section title={t('message')}>
            <dl className={classes.facts}>
              <dt>{t('subject')}</dt>
              <dd>{email.subject}</dd>
              <dt>{t('to')}</dt>
              <dd>{email.to.length > 0 ? email.to.join(', ') : t('noReceiver')}</dd>
              {email.cc.length > 0 ? (
                <>
                  <dt>{t('cc')}</dt>
                  <dd>{email.cc.join(', ')}</dd>
                </>
              ) : null}
              <dt>{t('belongsTo')}</dt>
              <dd>
                <OwnerLink owner={email.owner} />
              </dd>
              <dt>{t('written')}</dt>
              <dd>
                {format.dateTime(email.createdAt)}
                {email.createdBy === null ? null : ` · ${email.createdBy.title}`}
              </dd>
              {email.attachments.length > 0 ? (
                <>
                  <dt>{t('attachments')}</dt>
                  <dd>
                    <EmailFiles email={email} />
                  </dd>
                </>
              ) : null}
              {email.mimeSizeBytes === null ? null : (
                <>
                  <dt>{t('size')}</dt>
                  <dd>
                    {t('kilobytes', { number: format.number(Math.max(1, Math.round(email.mimeSizeBytes / 1024))) })}
                  </dd>
                </>
              )}
              {why === null ? null : (
                <>
                  <dt>{t('why')}</dt>
                  <dd className={classes.why}>{why}</dd>
                </>
              )}
            </dl>
            <UndoWords undo={email.undo} />
            <MissingValues keys={email.missing} />
            <RefusedAddresses addresses={[...addressesIn(to), ...email.cc]} />
            {isForAccount || !(isUnsaid || mayResend(email)) ? null : (
              <TextInput
                className={classes.receiver}
                label={t(isUnsaid ? 'receiver' : 'otherReceiver')}
                description={isUnsaid ? undefined : t('otherReceiverHint')}
                value={to}
                type="text"
                inputMode="email"
                onChange={(event) => typing.set(event.currentTarget.value)}
              />
            )}
            {kept.field}
          </Section>
          {isUnsaid ? null : (
            <Section
              title={t('tries')}
              summary={email.tries > 0 ? t('tryNumber', { count: email.tries }) : undefined}
              isFlush
            >
              <EmailTries email={email} />
            </Section>
          )}
        </div>
        <Section
          title={t(isUnsaid ? 'asItWouldBe' : isSent(email) ? 'asItLeft' : 'asWritten')}
          summary={isSent(email) ? t('keptAsSent') : undefined}
        >
          <EmailPaper email={email} />
        </Section>
      </div>
    </div>
  )
}

const PATHS = {
  order: { path: (id: number) => `/orders/${id}/edit`, access: ORDER_ACCESS },
  invoice: { path: (id: number) => `/invoices/${id}/edit`, access: can('INVOICES_PROCESSING') },
  user: { path: (id: number) => `/users/${id}/edit`, access: can('USERS_MANAGEMENT') },
  customer: { path: (id: number) => `/customer/${id}/edit`, access: can('CUSTOMER_MANAGEMENT') },
  carrierCompany: { path: (id: number) => `/carrier-companies/${id}/edit`, access: can('CARRIER_MANAGEMENT') },
  loadCarrierPlace: { path: (id: number) => `/load-carrier-places/${id}/edit`, access: PLACE_ACCOUNT_ACCESS },
  quote: { path: (id: number) => `/quotes/edit/${id}`, access: ORDER_ACCESS },
} as const

/** The record a mail belongs to; a link where the person may open it. */
export function OwnerLink({ owner: { kind, id, title } }: { owner: Email['owner'] }) {
  const { path, access } = PATHS[kind]
  return hasAccess(access) ? <Link to={path(id) as string}>{title}</Link> : title
}
