import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  ENDING_STEPS,
  listEndingPapers,
  listReleaseRequests,
  type EndingPaper,
  type ReleaseRequest,
} from '@waybill/contract/order/clearance/release'
import { addDays } from '@waybill/contract/kit/local-time'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { currentSession } from '../../kit/session/session.ts'
import { Count } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { Section } from '../../ui/page/section.tsx'
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
  const { t } = useTranslation(['clearance', 'document'])
  const format = useFormat()
  const { data, error, refetch } = useQuery({
    queryKey: ['carrier-companies', 'ending-papers'],
    queryFn: ({ signal }) => callApi(listEndingPapers, { signal }),
  })
  const today = localToday()
  const groups = data === undefined ? [] : groupsOf(data.items, today)
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
              {papers.map(({ carrierCompany, documentType, endsOn, plannedRoutes }) => (
                <li key={`${carrierCompany.id} ${documentType}`}>
                  <div className={classes.line}>
                    <CarrierLink carrier={carrierCompany} />
                    <span>{t(`document:types.${documentType}`)}</span>
                    <span>{format.date(endsOn)}</span>
                    <span className={classes.dim} data-hit={plannedRoutes > 0 || undefined}>
                      {t('planned', { count: plannedRoutes })}
                    </span>
                  </div>
                </li>
              ))}
            </ul>
          </section>
        ))
      )}
    </Section>
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
