import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  decideHeld,
  getOperations,
  noteNumber,
  removeJob,
  retryJob,
  type FailedJob,
  type Held,
  type HeldNumber,
  type Operations,
} from '@waybill/contract/operations/overview'
import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { ConfirmModal } from '../../ui/windows/confirm-modal.tsx'
import { HeldNumbers } from './held-numbers.tsx'
import { FailedJobs, Jobs, useJobName } from './jobs.tsx'
import { Licences } from './licences.tsx'
import { Nodes } from './nodes.tsx'
import classes from './operations-page.module.css'
import { PaperPeriodsSection } from './paper-periods.tsx'
import { RetentionSection } from './retention.tsx'

const KEYS = ['operations']
// Jobs come and go by themselves.
const LOOK_AGAIN_MS = 15_000

type Asked = { act: 'remove'; job: FailedJob } | { act: 'release' | 'drop'; held: Held }

/** How this installation stands, and what needs somebody. For administrators. */
export function OperationsPage() {
  const { t } = useTranslation('operations')
  const errorText = useErrorText()
  const client = useQueryClient()
  const jobName = useJobName()
  const { data, error, refetch } = useQuery({
    queryKey: KEYS,
    queryFn: ({ signal }) => callApi(getOperations, { signal }),
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnMount: 'always',
    meta: { showsRefusals: true },
  })
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isBusy, setBusy] = useState(false)

  const attempt = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notify({ tone: 'ok', title: done, closeLabel: t('close') })
    } catch (refused) {
      notify({ tone: 'danger', title: t('notDone'), detail: errorText(refused), closeLabel: t('close') })
    }
    setBusy(false)
    setAsked(null)
    await client.invalidateQueries({ queryKey: KEYS })
  }
  const retry = ({ name, id }: FailedJob) =>
    void attempt(() => callApi(retryJob, { params: { name, id } }), t('retried', { job: jobName(name) }))
  const note = ({ companyId, title, restoredAt }: HeldNumber, last: number) =>
    void attempt(
      () => callApi(noteNumber, { body: { companyId, last, restoredAt } }),
      t('numbers.sends', { company: title }),
    )
  const confirm = (given: Asked) => {
    if (given.act !== 'remove')
      return attempt(
        () => callApi(decideHeld, { body: { word: given.act, restoredAt: given.held.restoredAt } }),
        t(given.act === 'drop' ? 'held.dropped' : 'held.released'),
      )
    const { name, id } = given.job
    return attempt(() => callApi(removeJob, { params: { name, id } }), t('removed', { job: jobName(name) }))
  }

  if (error !== null && data === undefined) return <LoadError error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.page}>
      <PageHead title={t('title')} />
      {data === undefined ? (
        <SkeletonLines lines={8} label={t('loading')} />
      ) : (
        <>
          {data.held === null ? null : (
            <HeldNotice held={data.held} onWord={(act) => setAsked({ act, held: data.held! })} />
          )}
          {data.numbers.map((held) => (
            <HeldNumbers key={held.companyId} held={held} isBusy={isBusy} onWord={(last) => note(held, last)} />
          ))}
          {data.audit === null || data.audit.faultCount === 0 ? null : <ChangedAudit audit={data.audit} />}
          <Facts data={data} />
          <Nodes nodes={data.nodes} />
          <Section title={t('jobs.failed')} isFlush>
            <FailedJobs
              jobs={data.failedJobs}
              isBusy={isBusy}
              onRetry={retry}
              onRemove={(job) => setAsked({ act: 'remove', job })}
            />
          </Section>
          <Section title={t('jobs.title')} isFlush>
            <Jobs jobs={data.jobs} />
          </Section>
          <RetentionSection />
          <PaperPeriodsSection />
          <Licences />
        </>
      )}
      <ConfirmModal
        isOpen={asked !== null}
        withInfoIcon
        title={t(`confirm.${asked?.act ?? 'remove'}.title`, {
          job: asked?.act === 'remove' ? jobName(asked.job.name) : '',
        })}
        tone={asked?.act === 'release' ? 'primary' : 'danger'}
        confirmLabel={t(`confirm.${asked?.act ?? 'remove'}.yes`)}
        cancelLabel={t('cancel')}
        closeLabel={t('close')}
        isBusy={isBusy}
        onCancel={() => setAsked(null)}
        onConfirm={() => asked && void confirm(asked)}
      >
        {t(`confirm.${asked?.act ?? 'remove'}.text`)}
      </ConfirmModal>
    </div>
  )
}

function HeldNotice({ held, onWord }: { held: Held; onWord: (word: 'release' | 'drop') => void }) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const what = format.list(held.kinds.map(({ kind, count }) => t(`held.kinds.${kind}`, { count })))
  return (
    <Notice tone="warn">
      <div className={classes.held}>
        <p>
          {t('held.waits', {
            what,
            restored: format.dateTime(held.restoredAt),
            backup: format.dateTime(held.backupAt),
          })}
        </p>
        <div className={classes.buttons}>
          <Button size="compact-sm" variant="default" onClick={() => onWord('release')}>
            {t('held.release')}
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => onWord('drop')}>
            {t('held.drop')}
          </Button>
        </div>
      </div>
    </Notice>
  )
}

/** The history is not as it was sealed: which entries, and what to do. */
function ChangedAudit({ audit: { faultCount, faults } }: { audit: NonNullable<Operations['audit']> }) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  return (
    <Notice tone="danger">
      <p>{t('audit.changed', { count: faultCount })}</p>
      <ul>
        {faults.map(({ firstId, lastId, at, fault }) => (
          <li key={`${firstId} ${fault}`}>
            {t(`audit.fault.${fault}`, {
              first: format.number(firstId),
              last: format.number(lastId),
              time: format.dateTime(at),
            })}
          </li>
        ))}
      </ul>
      <p>{t('audit.howTo')}</p>
    </Notice>
  )
}

function AuditFact({ audit }: { audit: Operations['audit'] }) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  if (audit === null) return <Fact label={t('fact.audit')}>{t('unknown')}</Fact>
  const { sealedAt, checkedAt, unsealed } = audit
  return (
    <Fact
      label={t('fact.audit')}
      note={checkedAt === null ? undefined : t('fact.auditChecked', { time: format.dateTime(checkedAt) })}
    >
      {sealedAt === null ? t('fact.auditNone') : t('fact.auditSealed', { time: format.dateTime(sealedAt) })}
      {unsealed === 0 ? null : <p>{t('fact.auditUnsealed', { count: unsealed, number: format.number(unsealed) })}</p>}
    </Fact>
  )
}

function Fact({ label, children, note }: { label: string; children: ReactNode; note?: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>
        {children}
        {note === undefined ? null : <p>{note}</p>}
      </dd>
    </div>
  )
}

function Facts({ data }: { data: Operations }) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const bytes = (count: number) =>
    count < 1_000_000_000
      ? `${format.number(count / 1_000_000, 1, 1)} MB`
      : `${format.number(count / 1_000_000_000, 1, 1)} GB`
  const { backups, database, files, mails, sessions } = data
  const waiting = mails && mails.planned + mails.queued + mails.waiting + mails.held
  return (
    <dl className={classes.facts}>
      <Fact label={t('fact.version')} note={t('fact.startedAt', { time: format.dateTime(data.startedAt) })}>
        {data.version}
      </Fact>
      <Fact label={t('fact.node')} note={t('fact.nodeMeans')}>
        {data.node}
      </Fact>
      <Fact label={t('fact.database')} note={`PostgreSQL ${database.version.split(' ')[0]}`}>
        {database.bytes === null ? t('unknown') : bytes(database.bytes)}
      </Fact>
      <Fact
        label={t('fact.files')}
        note={
          files === null
            ? undefined
            : t(files.isExact ? 'fact.fileCount' : 'fact.aboutFiles', {
                count: files.count,
                number: format.number(files.count),
              })
        }
      >
        {files === null ? t('unknown') : bytes(files.bytes)}
      </Fact>
      <Fact label={t('fact.backup')} note={backups.isScheduled ? t('fact.scheduled') : t('fact.byHand')}>
        {backups.lastAt === null ? (
          <span className={classes.bad}>{t('fact.noBackup')}</span>
        ) : (
          <time dateTime={backups.lastAt} title={format.ago(backups.lastAt)}>
            {format.dateTime(backups.lastAt)}
          </time>
        )}
        {backups.failedAt === null ? null : (
          <p className={classes.bad}>{t('fact.backupFailed', { time: format.dateTime(backups.failedAt) })}</p>
        )}
        {backups.faultyFiles === 0 ? null : (
          <p className={classes.bad}>
            {t('fact.backupFaults', { count: backups.faultyFiles, number: format.number(backups.faultyFiles) })}
          </p>
        )}
        {backups.areOldOnesLeft ? <p className={classes.bad}>{t('fact.backupsLeft')}</p> : null}
      </Fact>
      <Fact label={t('fact.mailsFailed')} note={t('fact.lastDay')}>
        {mails === null ? (
          t('unknown')
        ) : (
          <Link to={'/mails' as string} search={{ status: ['failed'] } as never}>
            {format.number(mails.failed)}
          </Link>
        )}
      </Fact>
      <Fact
        label={t('fact.mailsWaiting')}
        note={mails === null || mails.waiting === 0 ? undefined : t('fact.noMailServer', { count: mails.waiting })}
      >
        {waiting === null ? t('unknown') : format.number(waiting)}
      </Fact>
      <AuditFact audit={data.audit} />
      <Fact label={t('fact.sessions')}>{sessions === null ? t('unknown') : format.number(sessions)}</Fact>
    </dl>
  )
}
