import { renderEmail, type Email, type EmailRow, type OpenedEmail } from '@waybill/contract/email'
import { getDocumentFile } from '@waybill/contract/document'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { openFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import classes from './email-parts.module.css'

/*
 * The parts of one mail, the same in the window over a record and on the mail's own page.
 */

/** The files that go along; each opens in a tab of its own. */
export function EmailFiles({ email }: { email: EmailRow }) {
  const { t } = useTranslation('email')
  const errorText = useErrorText()
  const open = async (id: number) => {
    try {
      const { blob, fileName } = await callFile(getDocumentFile, { params: { id } })
      openFile(blob, fileName)
    } catch (failure) {
      notify({ tone: 'danger', title: t('notOpened'), detail: errorText(failure), closeLabel: t('close') })
    }
  }
  return (
    <>
      {email.attachments.map(({ documentId, title }, place) => (
        <span key={documentId}>
          {place === 0 ? null : ', '}
          <button type="button" className={classes.file} onClick={() => void open(documentId)}>
            {title}
          </button>
        </span>
      ))}
    </>
  )
}

/** Of a mail that somebody has canceled: what undoing that would do, or why it stays so. */
export function UndoWords({ undo }: { undo: OpenedEmail['undo'] }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  if (undo === null) return null
  const { against, leavesAt } = undo
  return (
    <p className={classes.undo}>
      {against !== null
        ? t(`notUndone.${against}`)
        : leavesAt === null
          ? t('undoAtOnce')
          : t('undoLeaves', { at: format.dateTime(leavesAt) })}
    </p>
  )
}

/** Each try with the server's own words, the newest first. */
export function EmailTries({ email }: { email: Email }) {
  const { t } = useTranslation('email')
  const format = useFormat()
  if (email.attempts.length === 0) return <p className={classes.none}>{t('noTries')}</p>
  return (
    <ol className={classes.tries}>
      {email.attempts.map(({ at, isSent, response }) => (
        <li key={at} data-sent={isSent || undefined}>
          <Icon name={isSent ? 'check' : 'alert'} size={13} />
          <div>
            <b>{t(isSent ? 'accepted' : 'refused')}</b>
            {response === null ? null : <span className={classes.words}>{response}</span>}
          </div>
          <time dateTime={at}>{format.dateTime(at)}</time>
        </li>
      ))}
    </ol>
  )
}

/** What has no value yet, by the names of the catalogue, which nothing else of an order's form needs. */
export function MissingValues({ keys }: { keys: readonly string[] }) {
  const { t, i18n } = useTranslation('email')
  const catalogue = useQuery({
    queryKey: ['email-variables'],
    queryFn: () => import('@waybill/contract/email/variables').then(({ VARIABLES }) => VARIABLES),
    enabled: keys.length > 0,
    staleTime: Infinity,
  })
  if (keys.length === 0) return null
  const nameOf = (key: string): string => {
    const found = (catalogue.data as Record<string, { name: Record<string, string> }> | undefined)?.[key]
    return found?.name[i18n.language] ?? key
  }
  return <p className={classes.missing}>{t('missing', { names: keys.map(nameOf).join(', ') })}</p>
}

const LOOKS = ['desktop', 'phone', 'text'] as const
type Look = (typeof LOOKS)[number]

/** The mail as mail programs show it, wide and narrow, and as plain text; it can neither run a script nor leave. */
export function EmailPaper({ email }: { email: Email }) {
  const { t } = useTranslation('email')
  const [look, setLook] = useState<Look>(() => (matchMedia('(max-width: 760px)').matches ? 'phone' : 'desktop'))
  const { data, error, refetch } = useQuery({
    queryKey: ['email', email.id, 'rendered'],
    queryFn: ({ signal }) => callApi(renderEmail, { params: { id: email.id }, signal }),
    staleTime: 0,
    meta: { showsRefusals: true },
  })
  return (
    <div className={classes.paper}>
      <Segmented
        isSmall
        label={t('look')}
        value={look}
        onChange={setLook}
        options={LOOKS.map((value) => ({ value, label: t(value) }))}
      />
      <div className={classes.desk}>
        {error ? (
          <LoadError error={error} onRetry={() => void refetch()} />
        ) : data === undefined ? (
          <SkeletonLines lines={8} label={t('loading')} />
        ) : look === 'text' ? (
          <pre className={classes.text} tabIndex={0}>
            {data.text}
          </pre>
        ) : (
          <iframe
            className={classes.frame}
            data-look={look}
            sandbox=""
            srcDoc={data.html}
            title={email.subject || t(`types.${email.type}`)}
          />
        )}
      </div>
    </div>
  )
}
