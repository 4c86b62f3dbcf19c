import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { listCreditOfDebtors } from '@waybill/contract/credit/credit'
import {
  AGES,
  DUE_WEEKS,
  exportReceivables,
  getAccountStatement,
  listPayables,
  listReceivables,
} from '@waybill/contract/payment/open-items'
import { Fragment, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, callFile } from '../../kit/api/call-api.ts'
import { openFile } from '../../kit/api/files.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ExportMenu } from '../../kit/list/page/export-menu.tsx'
import { useRowInHand } from '../../kit/list/page/row-in-hand.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { TextField } from '../../ui/fields/field.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { KeyHint } from '../../ui/marks/marks.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { lateWindow } from '../../ui/windows/late-window.tsx'
import { ClaimsButton } from '../claim/claims-section.tsx'
import { LimitUse } from '../credit/limit-use-section.tsx'
import { InvoiceTabs } from '../invoice/invoice-tabs-section.tsx'
import { RemindersSection } from '../reminder/reminders-section.tsx'
import { AgeingTable, type Bucket } from './ageing-table.tsx'
import { NextRun } from './next-run.tsx'
import classes from './open-items.module.css'

const AGE_TONES: readonly Bucket['tone'][] = ['calm', 'soon', 'look', 'warn', 'late']
const WEEK_TONES: readonly Bucket['tone'][] = ['late', 'warn', 'soon', 'calm', 'far']

const StatementWindow = lateWindow(() => import('./statement-window.tsx').then((file) => file.StatementWindow))

// A word is typed before it is asked for.
const TYPING_MS = 200

/** What customers owe us, and what we owe carriers; which of both stands in the address. */
export function OpenItemsPage() {
  const { t } = useTranslation(['open-items', 'list'])
  const format = useFormat()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const client = useQueryClient()
  const isPayable = (useSearch({ strict: false }) as { view?: unknown }).view === 'payables'
  const [typed, setTyped] = useState('')
  const [sending, setSending] = useState<{ customer: { id: number; title: string }; companyId: number } | null>(null)
  const [q] = useDebouncedValue(typed.trim(), TYPING_MS)
  const query = q === '' ? {} : { q }
  const owed = useQuery({
    queryKey: ['open-items', 'receivables', q],
    queryFn: ({ signal }) => callApi(listReceivables, { query, signal }),
    enabled: !isPayable,
    placeholderData: (before) => before,
  })
  const owing = useQuery({
    queryKey: ['open-items', 'payables', q],
    queryFn: ({ signal }) => callApi(listPayables, { query, signal }),
    enabled: isPayable,
    placeholderData: (before) => before,
  })
  const statement = useMutation({
    mutationFn: (query: { customerId: number; companyId: number }) =>
      callFile(getAccountStatement, { query: query as never }),
    onSuccess: ({ blob, fileName }) => openFile(blob, fileName),
    onError: (fault) =>
      notify({ tone: 'danger', title: t('noStatement'), detail: errorText(fault), closeLabel: t('close') }),
  })
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey: ['open-items'] }))
  const credit = useQuery({
    queryKey: ['open-items', 'credit'],
    queryFn: ({ signal }) => callApi(listCreditOfDebtors, { signal }),
    enabled: !isPayable,
  })
  const creditOf = useMemo(() => new Map(credit.data?.items.map((one) => [one.customerId, one])), [credit.data])
  const nearLimit =
    owed.data?.items.filter(({ customer: { id } }) => (creditOf.get(id)?.standing ?? null) !== null).length ?? 0
  const partners = useMemo(
    () =>
      (isPayable
        ? owing.data?.items.map(({ carrierCompany: { id } }) => ({ id }))
        : owed.data?.items.map(({ customer: { id } }) => ({ id }))) ?? null,
    [isPayable, owing.data, owed.data],
  )
  const hand = useRowInHand(partners, false)
  const partner = t(isPayable ? 'carrier' : 'customer')
  const find = useRef<HTMLInputElement>(null)
  useShortcut({ key: '/', label: t('find'), run: () => find.current?.focus() })
  const emptyOf = (view: 'receivables' | 'payables') =>
    q === ''
      ? { title: t(`none.${view}`), text: t('none.text') }
      : { title: t('list:nothingFound'), text: t('list:nothingFoundFor', { q }) }
  const shown = isPayable ? owing : owed
  // What could not be read comes to nothing that could be said.
  const isUnknown = shown.error !== null && shown.data === undefined
  const total = isPayable ? owing.data?.total : owed.data?.total
  const count = isPayable ? owing.data?.total.carrierCount : owed.data?.total.customerCount
  return (
    <div className={classes.page}>
      <PageHead
        title={t('title')}
        note={shown.data === undefined ? null : t('asOf', { time: format.dateTime(shown.data.asOf) })}
        actions={
          isPayable ? null : (
            <>
              <ClaimsButton q={q} />
              <Button renderRoot={(props) => <Link to={'/invoices/bank-statements' as string} {...props} />}>
                {t('bankStatements')}
              </Button>
              <ExportMenu
                exportAs={(as) =>
                  callFile(exportReceivables, {
                    query: { ...query, format: as, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone },
                  })
                }
              />
            </>
          )
        }
      />
      <InvoiceTabs current="openItems" />
      <div className={classes.filter}>
        <Segmented
          label={t('title')}
          value={isPayable ? 'payables' : 'receivables'}
          onChange={(next) =>
            void navigate({
              to: '/invoices/open-items' as string,
              search: (next === 'payables' ? { view: 'payables' } : {}) as never,
            })
          }
          options={[
            { value: 'receivables', label: t('view.receivables') },
            { value: 'payables', label: t('view.payables') },
          ]}
        />
        <TextField
          ref={find}
          label={<span className={classes.hidden}>{t('find')}</span>}
          placeholder={t('find')}
          rightSection={<KeyHint>/</KeyHint>}
          maxLength={100}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
      {shown.error ? <LoadError error={shown.error} onRetry={() => void shown.refetch()} /> : null}
      <div className={classes.columns} data-two>
        {isUnknown ? null : isPayable ? (
          <>
            <AgeingTable
              label={t('view.payables')}
              partner={t('carrier')}
              last={t('oldest')}
              currentId={hand.id}
              buckets={DUE_WEEKS.map((key, index) => ({
                key,
                label: t(`week.${key}`),
                cents: owing.data?.total.weeks[key] ?? 0,
                tone: WEEK_TONES[index]!,
              }))}
              openCents={owing.data?.total.openCents ?? 0}
              rows={
                owing.data?.items.map((row) => ({
                  id: row.carrierCompany.id,
                  title: row.carrierCompany.title,
                  search: { entityType: 'carrier', open: true, carrierCompanyId: [String(row.carrierCompany.id)] },
                  cents: DUE_WEEKS.map((key) => row.weeks[key]),
                  openCents: row.openCents,
                  note: row.daysLate === null ? null : t('daysLate', { count: row.daysLate }),
                  mark: row.hasProblem ? t('problem') : null,
                })) ?? null
              }
              empty={emptyOf('payables')}
            />
            <NextRun />
          </>
        ) : (
          <>
            <AgeingTable
              label={t('view.receivables')}
              partner={t('customer')}
              last={t('oldest')}
              currentId={hand.id}
              limit={t('limit')}
              buckets={AGES.map((key, index) => ({
                key,
                label: t(`age.${key}`),
                cents: owed.data?.total.ages[key] ?? 0,
                tone: AGE_TONES[index]!,
              }))}
              openCents={owed.data?.total.openCents ?? 0}
              rows={
                owed.data?.items.map((row) => ({
                  id: row.customer.id,
                  title: row.customer.title,
                  search: { entityType: 'customer', open: true, billingCustomerId: [String(row.customer.id)] },
                  cents: AGES.map((key) => row.ages[key]),
                  openCents: row.openCents,
                  note: row.daysLate === null ? null : t('daysLate', { count: row.daysLate }),
                  mark:
                    row.disputedCents !== 0
                      ? t('disputed', { amount: format.money(row.disputedCents) })
                      : row.creditCents !== 0
                        ? t('credit', { amount: format.money(row.creditCents) })
                        : null,
                  limit: <LimitUse of={creditOf.get(row.customer.id)} />,
                  actions: row.companies.map((company) => (
                    <Fragment key={company.id}>
                      <IconButton
                        icon="file"
                        label={t('statement', { customer: row.customer.title, company: company.title })}
                        onClick={() => statement.mutate({ customerId: row.customer.id, companyId: company.id })}
                      />
                      <IconButton
                        icon="mail"
                        label={t('sendStatement.open', { customer: row.customer.title, company: company.title })}
                        onClick={() => setSending({ customer: row.customer, companyId: company.id })}
                      />
                    </Fragment>
                  )),
                })) ?? null
              }
              empty={emptyOf('receivables')}
            />
            <RemindersSection q={q} customerId={hand.id} />
          </>
        )}
      </div>
      {sending === null ? null : <StatementWindow {...sending} onClose={() => setSending(null)} />}
      <footer className={classes.foot}>
        {count === undefined ? null : <b>{isPayable ? t('carriers', { count }) : t('customers', { count })}</b>}
        {isPayable || owed.data === undefined ? null : (
          <span className={classes.dim}>
            {t('sumsOf', {
              overdue: format.euro(owed.data.total.openCents - owed.data.total.ages.notDue),
              disputed: format.euro(owed.data.total.disputedCents),
              credit: format.euro(owed.data.total.creditCents),
            })}
          </span>
        )}
        {isPayable || nearLimit === 0 ? null : (
          <span className={classes.near}>{t('nearLimit', { count: nearLimit })}</span>
        )}
        <span className={classes.grow} />
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {partner} <KeyHint>Enter</KeyHint> {t('keys.invoices')}
        </span>
        {total === undefined ? null : <b className={classes.big}>{format.euro(total.openCents)}</b>}
        {isPayable ? (
          <Button variant="filled" renderRoot={(props) => <Link to={'/invoices/payment-runs' as string} {...props} />}>
            {t('run.open')}
          </Button>
        ) : null}
      </footer>
    </div>
  )
}
