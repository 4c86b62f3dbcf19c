import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ENDING_STEPS,
  listEndingPapers,
  listReleaseRequests,
  type EndingPaper,
  type ReleaseRequest,
} from '@waybill/contract/order/clearance/release'
import { addDays } from '@waybill/contract/kit/local-time'
import { askForPaper } from '@waybill/contract/public/paper-page'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { currentSession } from '../../kit/session/session.ts'
import { Count } from '../../ui/marks/marks.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
import { RefusedMark, useRefusals } from '../email/refused-address-section.tsx'
import classes from './clearance.module.css'
import { DecideReleaseModal } from './decide-release-modal.tsx'

/** What is asked of who looks after carriers: releases to decide, and papers that end. */
export function ClearancePage() {
  const { t } = useTranslation('clearance')
  return (
    <div className={classes.page}>
      <PageHead
        title={t('page')}
        actions={
          <Button component={Link} to={'/carrier-companies' as never}>
            {t('carriers')}
          </Button>
        }
      />
      <div className={classes.parts}>
        <Requests />
        <Ending />
      </div>
    </div>
  )
}

const REQUESTS = ['carrier-releases']
const ENDING = ['carrier-companies', 'ending-papers']

function Requests() {
  const { t } = useTranslation('clearance')
  const format = useFormat()
  const queries = useQueryClient()
  const [decided, setDecided] = useState<ReleaseRequest | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: REQUESTS,
    queryFn: ({ signal }) => callApi(listReleaseRequests, { signal }),
  })
  const refresh = () => void queries.invalidateQueries({ queryKey: REQUESTS })
  useLiveChanges('order', refresh)
  const me = currentSession()?.profile.id
  return (
    <Section title={<Titled title={t('requests')} count={data?.items.length} />} isFlush>
      {data === undefined ? (
        <Waiting error={error} onRetry={() => void refetch()} />
      ) : data.items.length === 0 ? (
        <p className={classes.nothing}>{t('noRequests')}</p>
      ) : (
        <ul className={classes.list}>
          {data.items.map((request) => (
            <li key={request.id}>
              <div className={classes.what}>
                <CarrierLink carrier={request.carrierCompany} />
                <span>{t('forRoute', { route: request.routeNumber })}</span>
                <span className={classes.why}>
                  {format.list(request.reasons.map((code) => t(`short.${code}`)))},{' '}
                  {t('asks', { day: format.date(request.lastDay), sum: format.euro(request.neededCents) })}
                </span>
                <span className={classes.dim}>
                  {t('askedBy', {
                    name: request.askedBy.title,
                    when: format.dayTime(request.askedAt),
                    reason: request.reason,
                  })}
                </span>
              </div>
              {request.askedBy.id === me ? (
                <span className={classes.dim}>{t('ownRequest')}</span>
              ) : (
                <Button size="compact-sm" onClick={() => setDecided(request)}>
                  {t('decide')}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {decided === null ? null : (
        <DecideReleaseModal
          request={decided}
          onClose={() => setDecided(null)}
          onDecided={() => {
            setDecided(null)
            refresh()
          }}
        />
      )}
    </Section>
  )
}

function Ending() {
  const { t } = useTranslation('clearance')
  const { data, error, refetch } = useQuery({
    queryKey: ENDING,
    queryFn: ({ signal }) => callApi(listEndingPapers, { signal }),
  })
  const today = localToday()
  const groups = data === undefined ? [] : groupsOf(data.items, today)
  const refusals = useRefusals((data?.items ?? []).map(({ to }) => to))
  return (
    <Section title={<Titled title={t('ending')} count={data?.items.length} />} summary={t('endingMeans')} isFlush>
      {data === undefined ? (
        <Waiting error={error} onRetry={() => void refetch()} />
      ) : data.items.length === 0 ? (
        <p className={classes.nothing}>{t('noneEnds')}</p>
      ) : (
        groups.map(({ days, papers }) => (
          <section key={days ?? 'ended'} aria-label={days === null ? t('ended') : t('within', { count: days })}>
            <h3 className={classes.group}>{days === null ? t('ended') : t('within', { count: days })}</h3>
            <ul className={classes.list}>
              {papers.map((paper) => (
                <PaperLine key={`${paper.carrierCompany.id} ${paper.documentType}`} paper={paper} refusals={refusals} />
              ))}
            </ul>
          </section>
        ))
      )}
    </Section>
  )
}

/** A paper that ends, and asking its carrier for a new one; one that has come is looked at among its files. */
function PaperLine({ paper, refusals }: { paper: EndingPaper; refusals: ReturnType<typeof useRefusals> }) {
  const { t } = useTranslation(['clearance', 'document'])
  const format = useFormat()
  const errorText = useErrorText()
  const queries = useQueryClient()
  const { carrierCompany, documentType, endsOn, plannedRoutes, to: address, askedAt, isWaiting } = paper
  const document = t(`document:types.${documentType}`)
  const ask = useMutation({
    mutationFn: () =>
      callApi(askForPaper, {
        params: { id: carrierCompany.id },
        body: { documentType },
        idempotencyKey: newIdempotencyKey(),
      }),
    onSuccess: ({ to }) => notify({ tone: 'ok', title: t('asked', { to }), closeLabel: t('form:close') }),
    onError: (error) =>
      notify({ tone: 'danger', title: t('notAsked'), detail: errorText(error), closeLabel: t('form:close') }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ENDING }),
  })
  return (
    <li>
      <div className={classes.line}>
        <CarrierLink carrier={carrierCompany} />
        <span>{document}</span>
        <span>{format.date(endsOn)}</span>
        <span className={classes.dim} data-hit={plannedRoutes > 0 || undefined}>
          {t('planned', { count: plannedRoutes })}
        </span>
      </div>
      {isWaiting ? (
        <Link to={`/carrier-companies/${carrierCompany.id}/edit` as string} search={{ tab: 'documents' } as never}>
          {t('waiting')}
        </Link>
      ) : (
        <>
          {askedAt === null ? null : (
            <span className={classes.dim}>{t('askedOn', { day: format.dayTime(askedAt) })}</span>
          )}
          <span className={classes.dim}>
            {address ?? t('noAddress')} <RefusedMark address={address} refusals={refusals} />
          </span>
          <Button
            size="compact-sm"
            loading={ask.isPending}
            disabled={address === null}
            aria-label={t('askForOne', { carrier: carrierCompany.title, document })}
            onClick={() => ask.mutate()}
          >
            {t('askFor')}
          </Button>
        </>
      )}
    </li>
  )
}

/** Papers by how soon they end: null, they have; a group without any is left out. */
function groupsOf(papers: readonly EndingPaper[], today: string): { days: number | null; papers: EndingPaper[] }[] {
  const stepOf = ({ endsOn }: EndingPaper) =>
    endsOn < today ? null : (ENDING_STEPS.find((days) => endsOn <= addDays(today, days)) ?? ENDING_STEPS.at(-1)!)
  return [null, ...ENDING_STEPS].flatMap((days) => {
    const these = papers.filter((paper) => stepOf(paper) === days)
    return these.length === 0 ? [] : [{ days, papers: these }]
  })
}

function CarrierLink({ carrier }: { carrier: { id: number; title: string } }) {
  return (
    <Link to={`/carrier-companies/${carrier.id}/edit` as string} search={{ tab: 'documents' } as never}>
      {carrier.title}
    </Link>
  )
}

function Titled({ title, count }: { title: string; count: number | undefined }) {
  return (
    <span className={classes.titled}>
      {title}
      {count === undefined ? null : <Count tone={count > 0 ? 'warn' : 'plain'}>{count}</Count>}
    </span>
  )
}

function Waiting({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const { t } = useTranslation('clearance')
  return error === null ? (
    <SkeletonLines lines={3} label={t('loading')} />
  ) : (
    <LoadError error={error} onRetry={onRetry} />
  )
}
