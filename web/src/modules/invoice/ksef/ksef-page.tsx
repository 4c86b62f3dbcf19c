import { Link } from '@tanstack/react-router'
import { companyApi } from '@waybill/contract/company'
import { exportNotIssued, type KsefStanding } from '@waybill/contract/invoice/ksef/standing'
import type { Reference } from '@waybill/contract/kit/fields'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { callFile } from '../../../kit/api/call-api.ts'
import { LoadError } from '../../../kit/api/load-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { ExportMenu } from '../../../kit/list/page/export-menu.tsx'
import { hasAccess } from '../../../kit/session/session.ts'
import { Light, type LightLevel } from '../../../ui/marks/light.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { PageHead } from '../../../ui/page/page-head.tsx'
import { Section } from '../../../ui/page/section.tsx'
import { InvoiceTabs } from '../invoice-tabs-section.tsx'
import classes from './ksef-standing.module.css'
import { useKsefStanding } from './use-standing.ts'

/** What stands between our invoices and KSeF, over all of our companies in Poland. */
export function KsefPage() {
  const { t } = useTranslation('ksef')
  const { data, error, refetch } = useKsefStanding()
  return (
    <div className={classes.page}>
      <PageHead
        title={t('page.title')}
        actions={
          <ExportMenu
            exportAs={(format) =>
              callFile(exportNotIssued, {
                query: { format, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
              })
            }
          />
        }
      />
      <InvoiceTabs current="all" />
      <div className={classes.parts}>
        {data === undefined ? (
          error === null ? (
            <SkeletonLines lines={8} label={t('page.title')} />
          ) : (
            <LoadError error={error} onRetry={() => void refetch()} />
          )
        ) : (
          <Parts standing={data} />
        )}
      </div>
    </div>
  )
}

function Parts({ standing: { rejected, waiting, notIssued, certificates } }: { standing: KsefStanding }) {
  const { t } = useTranslation('ksef')
  const format = useFormat()
  return (
    <>
      {certificates.length === 0 ? null : (
        <Section title={t('page.certificates')}>
          <ul className={classes.list}>
            {certificates.map(({ company, kind, validTo, isOver }) => (
              <Row
                key={`${company.id} ${kind}`}
                level={isOver ? 'stop' : 'look'}
                label={t(isOver ? 'page.over' : 'page.ending')}
                first={
                  hasAccess(companyApi.get.access) ? (
                    <Link to={`/companies/${company.id}/edit` as string}>{company.title}</Link>
                  ) : (
                    company.title
                  )
                }
                name={t(`page.kind.${kind}`)}
                words={t(isOver ? 'page.over' : 'page.ending')}
                time={format.date(validTo.slice(0, 10))}
              />
            ))}
          </ul>
        </Section>
      )}
      <Section title={t('page.rejected')} summary={rejected.length === 0 ? undefined : t('page.rejectedMeans')}>
        <List isEmpty={rejected.length === 0} none={t('page.noneRejected')}>
          {rejected.map(({ invoice, customer, reason, at, isOut }) => (
            <Row
              key={invoice.id}
              level="stop"
              label={t(isOut ? 'state.offlineRejected' : 'state.rejected')}
              first={<ToInvoice invoice={invoice} />}
              name={customer?.title}
              words={reason}
              time={format.dateTime(at)}
            />
          ))}
        </List>
      </Section>
      <Section title={t('page.waiting')}>
        <List isEmpty={waiting.length === 0} none={t('page.noneWaiting')}>
          {waiting.map(({ invoice, customer, state, since, submitBy, isLate }) => (
            <Row
              key={invoice.id}
              level={isLate ? 'stop' : state === 'awaited' || submitBy !== null ? 'look' : 'running'}
              label={t(`state.${state}`)}
              first={<ToInvoice invoice={invoice} />}
              name={customer?.title}
              words={
                submitBy === null
                  ? t(`state.${state}`)
                  : t(isLate ? 'offline.late' : 'offline.until', { date: format.date(submitBy) })
              }
              time={format.dateTime(since)}
            />
          ))}
        </List>
      </Section>
      <Section title={t('page.notIssued')} summary={t('page.notIssuedMeans')}>
        <List isEmpty={notIssued.length === 0} none={t('page.noneNotIssued')}>
          {notIssued.map(({ number, invoice, customer, company, reason, canceledAt }) => (
            <Row
              key={`${company.id} ${number}`}
              level="open"
              label={t('page.notIssued')}
              first={<ToInvoice invoice={{ id: invoice.id, title: number }} />}
              name={customer?.title}
              words={reason}
              time={format.dateTime(canceledAt)}
            />
          ))}
        </List>
      </Section>
    </>
  )
}

const ToInvoice = ({ invoice: { id, title } }: { invoice: Reference }) => (
  <Link to="/invoices/$id/edit" params={{ id: String(id) }}>
    {title}
  </Link>
)

function List({ isEmpty, none, children }: { isEmpty: boolean; none: string; children: ReactNode }) {
  return isEmpty ? <p className={classes.none}>{none}</p> : <ul className={classes.list}>{children}</ul>
}

interface RowProps {
  level: LightLevel
  label: string
  first: ReactNode
  name: ReactNode
  words: ReactNode
  time: string
}

function Row({ level, label, first, name, words, time }: RowProps) {
  return (
    <li>
      <Light level={level} label={label} />
      <span>{first}</span>
      <span className={classes.name}>{name}</span>
      <span className={classes.words}>{words}</span>
      <span className={classes.time}>{time}</span>
    </li>
  )
}
