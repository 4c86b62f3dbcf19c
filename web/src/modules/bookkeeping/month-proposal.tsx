import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  createBatch,
  getBookkeepingProposal,
  giveAccountNumbers,
  type BookedSum,
  type BookkeepingFinding,
  type BookkeepingProposal,
} from '@waybill/contract/bookkeeping/bookkeeping'
import { can } from '@waybill/contract/permissions'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { hasAccess } from '../../kit/session/session.ts'
import { Light } from '../../ui/marks/light.tsx'
import { Count } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState, Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { CustomerFieldLink } from '../customer/customer-field-link.tsx'
import classes from './bookkeeping.module.css'

interface MonthProposalProps {
  company: { id: number; title: string; hasDatev: boolean }
  /** `YYYY-MM` */
  month: string
  monthName: string
}

/** What of a month no batch holds yet, what hinders it, and the button that makes the batch. */
export function MonthProposal({ company, month, monthName }: MonthProposalProps) {
  const { t } = useTranslation(['bookkeeping', 'common'])
  const client = useQueryClient()
  const refusalWords = useRefusalWords()
  const [key] = useState(newIdempotencyKey)
  const query = { companyId: company.id, month }
  const proposal = useQuery({
    queryKey: ['bookkeeping', 'proposal', company.id, month],
    queryFn: ({ signal }) => callApi(getBookkeepingProposal, { query, signal }),
  })
  const readAnew = () => void client.invalidateQueries({ queryKey: ['bookkeeping'] })
  useLiveChanges('invoice', readAnew)
  const refuse = (error: unknown) =>
    notify({
      tone: 'danger',
      title: t('bookkeeping:refused'),
      detail: [...new Set(refusalWords(error))].join('. '),
      closeLabel: t('common:close'),
    })
  const give = useMutation({
    mutationFn: () => callApi(giveAccountNumbers, { body: query }),
    onSuccess: ({ given }) =>
      notify({ tone: 'ok', title: t('bookkeeping:given', { count: given }), closeLabel: t('common:close') }),
    onError: refuse,
    onSettled: readAnew,
  })
  const make = useMutation({
    // One key for one state of the month: pressed again after a lost answer it is the same batch.
    mutationFn: (earlier: number) => callApi(createBatch, { body: query, idempotencyKey: `${key}-${earlier}` }),
    onSuccess: ({ number, rowCount }) =>
      notify({
        tone: 'ok',
        title: t('bookkeeping:made', { number }),
        detail: t('bookkeeping:rows', { count: rowCount }),
        closeLabel: t('common:close'),
      }),
    onError: refuse,
    onSettled: readAnew,
  })
  if (proposal.error) return <LoadError error={proposal.error} onRetry={() => void proposal.refetch()} />
  const { data } = proposal
  if (data === undefined) return <SkeletonLines lines={8} label={t('bookkeeping:title')} />
  if (!data.isSetUp) return <NotSetUp company={company} />
  return (
    <section className={classes.block} aria-label={t('bookkeeping:toBook', { month: monthName })}>
      <h2 className={classes.heading}>
        {t('bookkeeping:toBook', { month: monthName })}
        <span className={classes.dim}>{t('bookkeeping:rows', { count: data.rowCount })}</span>
      </h2>
      {data.earlier.length === 0 ? null : (
        <Notice tone="info">
          {t('bookkeeping:earlier', {
            count: data.earlier.length,
            number: data.earlier[0]!.number,
            numbers: data.earlier.map(({ number }) => number).join(', '),
          })}
        </Notice>
      )}
      {data.rowCount === 0 ? (
        <p className={classes.dim}>{t(data.earlier.length === 0 ? 'bookkeeping:nothing' : 'bookkeeping:nothingNew')}</p>
      ) : (
        <Sums sums={data.sums} />
      )}
      <Findings proposal={data} onGive={() => give.mutate()} isGiving={give.isPending} />
      {data.rowCount === 0 ? null : (
        <div className={classes.go}>
          <Button
            variant="filled"
            loading={make.isPending}
            disabled={data.findings.length > 0}
            title={data.findings.length > 0 ? t('bookkeeping:hindered') : undefined}
            onClick={() => make.mutate(data.earlier.length)}
          >
            {t(company.hasDatev ? 'bookkeeping:makeDatev' : 'bookkeeping:make')}
          </Button>
          <span className={classes.dim}>{t(company.hasDatev ? 'bookkeeping:makeMeans' : 'bookkeeping:noDatev')}</span>
        </div>
      )}
    </section>
  )
}

function NotSetUp({ company }: { company: { id: number; title: string } }) {
  const { t } = useTranslation('bookkeeping')
  return (
    <EmptyState icon="inbox" title={t('notSetUp', { company: company.title })}>
      <p>{t('notSetUpMeans')}</p>
      {hasAccess(can('SETTINGS_ACCESS')) ? (
        <Button
          renderRoot={(props) => <Link to={`/companies/${company.id}/edit` as string} hash="bookkeeping" {...props} />}
        >
          {t('setUp')}
        </Button>
      ) : null}
    </EmptyState>
  )
}

/** What each kind comes to on the accounts of customers and carriers. */
function Sums({ sums }: { sums: readonly BookedSum[] }) {
  const { t } = useTranslation('bookkeeping')
  const format = useFormat()
  const total = (side: 'debitCents' | 'creditCents') => sums.reduce((cents, one) => cents + one[side], 0)
  return (
    <table className={classes.sums}>
      <thead>
        <tr>
          <th scope="col">{t('column.kind')}</th>
          <th scope="col">{t('column.count')}</th>
          <th scope="col">{t('column.debit')}</th>
          <th scope="col">{t('column.credit')}</th>
        </tr>
      </thead>
      <tbody>
        {sums.map(({ kind, count, debitCents, creditCents }) => (
          <tr key={kind}>
            <th scope="row">{t(`kind.${kind}`)}</th>
            <td>{format.number(count)}</td>
            <td>{debitCents === 0 ? '' : format.money(debitCents)}</td>
            <td>{creditCents === 0 ? '' : format.money(creditCents)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('total')}</th>
          <td />
          <td>{format.money(total('debitCents'))}</td>
          <td>{format.money(total('creditCents'))}</td>
        </tr>
      </tfoot>
    </table>
  )
}

interface FindingsProps {
  proposal: BookkeepingProposal
  onGive: () => void
  isGiving: boolean
}

/** What hinders the batch, each leading to where it is mended; missing numbers can be given at once. */
function Findings({ proposal: { findings, missingNumbers }, onGive, isGiving }: FindingsProps) {
  const { t } = useTranslation('bookkeeping')
  if (findings.length === 0) return null
  return (
    <>
      <h3 className={classes.heading}>
        {t('findings')} <Count tone="warn">{findings.length}</Count>
      </h3>
      {missingNumbers === 0 ? null : (
        <div className={classes.go}>
          <Button size="compact-sm" loading={isGiving} onClick={onGive}>
            {t('give', { count: missingNumbers })}
          </Button>
        </div>
      )}
      <ul className={classes.findings}>
        {findings.map((finding) => (
          <li
            key={`${finding.code} ${finding.side} ${finding.partner?.id ?? ''} ${finding.vatCategory} ${finding.vatBp}`}
          >
            <Light level="look" label={t('findings')} />
            <Finding finding={finding} />
          </li>
        ))}
      </ul>
    </>
  )
}

function Finding({ finding: { code, side, partner, vatCategory, vatBp, invoice } }: { finding: BookkeepingFinding }) {
  const { t } = useTranslation('bookkeeping')
  const format = useFormat()
  const isCustomer = side === 'income'
  const mayOpen = hasAccess(can(isCustomer ? 'CUSTOMER_MANAGEMENT' : 'CARRIER_MANAGEMENT'))
  const words = t(`finding.${code}`, {
    vat: vatCategory === null ? '' : `${vatCategory} ${format.percent(vatBp ?? 0)}`,
    side: t(`side.${side}`),
  })
  if (partner !== null)
    return (
      <span>
        {!mayOpen ? (
          partner.title
        ) : isCustomer ? (
          <CustomerFieldLink id={partner.id} path="debtorNumber">
            {partner.title}
          </CustomerFieldLink>
        ) : (
          <Link to={`/carrier-companies/${partner.id}/edit` as string} hash="creditorNumber">
            {partner.title}
          </Link>
        )}
        {': '}
        {words}
      </span>
    )
  return (
    <span>
      {words}
      {invoice === null ? null : (
        <>
          {' ('}
          <Link to="/invoices/$id/edit" params={{ id: String(invoice.id) }}>
            {invoice.title}
          </Link>
          {')'}
        </>
      )}
    </span>
  )
}
