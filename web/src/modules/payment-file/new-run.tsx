import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  createPaymentFile,
  getPaymentProposal,
  listDebtorBanks,
  type PaymentFile,
  type ProposedInvoice,
} from '@waybill/contract/payment-file/payment-file'
import { isTargetClosed } from '@waybill/contract/payment-file/sepa'
import { addDays } from '@waybill/contract/kit/local-time'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useIntention } from '../../kit/api/use-intention.ts'
import { useFieldErrorText, useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { CountryCode, KeyHint } from '../../ui/marks/marks.tsx'
import { EmptyState, Notice } from '../../ui/notices/notice.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { DayField } from '../typed-day/day-select.tsx'
import { LeftOutList } from './left-out-list.tsx'
import classes from './payment-file.module.css'
import { RunSums } from './run-sums.tsx'
import { SetOffList } from './set-off-list.tsx'

const DUE_DAYS = 14

/** The card of a phone, in two lines. */
const PHONE_GRID = '"select carrier total" 22px "select number due" 20px / 34px minmax(0, 1fr) auto'

/** Chooses what is paid: account, due until, pay on. Everything payable is ticked; what is left out stands beside. */
export function NewRun({ onMade }: { onMade: (run: PaymentFile) => void }) {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const client = useQueryClient()
  const banks = useQuery({
    queryKey: ['payment-files', 'banks'],
    queryFn: ({ signal }) => callApi(listDebtorBanks, { signal }),
  })
  const usable = banks.data?.items.filter(({ isConfirmed }) => isConfirmed) ?? []
  const [chosenBank, setBank] = useState<number | null>(null)
  const bankId = chosenBank ?? usable[0]?.id ?? null
  const [dueUntil, setDueUntil] = useState(() => addDays(localToday(), DUE_DAYS))
  const [chosenDay, setDay] = useState<string | null>(null)
  const [combine, setCombine] = useState(true)
  const proposal = useQuery({
    queryKey: ['payment-files', 'proposal', bankId, dueUntil],
    queryFn: ({ signal }) => callApi(getPaymentProposal, { query: { debtorBankId: bankId!, dueUntil }, signal }),
    enabled: bankId !== null,
    placeholderData: (before) => before,
  })
  useLiveChanges('paymentFile', () => void client.invalidateQueries({ queryKey: ['payment-files'] }))
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey: ['payment-files', 'proposal'] }))

  // Kept are those taken off: what is new in the proposal is ticked.
  const [takenOff, setTakenOff] = useState<ReadonlySet<number>>(new Set())
  const rows = useMemo(() => proposal.data?.items ?? [], [proposal.data])
  const chosen = useMemo(() => rows.filter(({ id }) => !takenOff.has(id)), [rows, takenOff])
  const sum = chosen.reduce((cents, { totalCents }) => cents + totalCents, 0)
  const day = chosenDay ?? proposal.data?.firstDay ?? localToday()
  const dayFault = day < localToday() ? 'in_the_past' : isTargetClosed(day) ? 'target_closed' : null
  const keyOf = useIntention()
  const make = useMutation({
    mutationFn: () => {
      const body = { invoiceIds: chosen.map(({ id }) => id), debtorBankId: bankId!, executionDate: day, combine }
      return callApi(createPaymentFile, { body, idempotencyKey: keyOf(body) })
    },
    onSuccess: async (run) => {
      onMade(run)
      await client.invalidateQueries({ queryKey: ['payment-files'] })
    },
    onError: () => client.invalidateQueries({ queryKey: ['payment-files', 'proposal'] }),
  })
  const why =
    bankId === null
      ? t('new.noBank')
      : chosen.length === 0 || sum <= 0
        ? t('new.nothing')
        : dayFault === null
          ? null
          : fieldErrorText(dayFault)
  const press = () => {
    if (why === null && !make.isPending) make.mutate()
  }
  useShortcut({ key: 'Enter', mod: true, label: t('new.create'), run: press })

  const columns = useColumns()
  const lateCount = chosen.filter(({ isLate }) => isLate).length
  if (banks.error) return <LoadError error={banks.error} onRetry={() => void banks.refetch()} />
  return (
    <>
      <div className={classes.choice}>
        <SelectField
          label={t('new.from')}
          className={classes.bank}
          allowDeselect={false}
          data={(banks.data?.items ?? []).map(({ id, company, ibanTail, isConfirmed }) => ({
            value: String(id),
            label: isConfirmed
              ? `${company.title}, … ${ibanTail}`
              : t('new.unconfirmed', { account: `${company.title}, … ${ibanTail}` }),
            disabled: !isConfirmed,
          }))}
          value={bankId === null ? null : String(bankId)}
          onChange={(value) => {
            setBank(Number(value))
            setTakenOff(new Set())
          }}
        />
        <DayField label={t('new.dueUntil')} value={dueUntil} onChange={setDueUntil} />
        <DayField
          label={t('new.payOn')}
          value={day}
          onChange={setDay}
          error={dayFault === null ? undefined : fieldErrorText(dayFault)}
        />
        <CheckField
          className={classes.combine}
          label={t('new.combine')}
          checked={combine}
          onChange={(event) => setCombine(event.currentTarget.checked)}
        />
      </div>
      {make.error === null ? null : (
        <div className={classes.notice}>
          <Notice tone="danger">
            {t('new.refused')}: {[...new Set(refusalWords(make.error))].join('. ')}
          </Notice>
        </div>
      )}
      <div className={classes.columns}>
        <DataTable<ProposedInvoice>
          label={t('new.title')}
          columns={columns}
          rows={bankId === null && banks.data ? [] : proposal.data ? rows : null}
          rowKey={({ id }) => id}
          rowName={({ carrierCompany, number }) => `${carrierCompany.title} ${number}`}
          selection={{
            keys: new Set(chosen.map(({ id }) => id)),
            onChange: (keys) => setTakenOff(new Set(rows.flatMap(({ id }) => (keys.has(id) ? [] : [id])))),
            pageLabel: t('new.all'),
            rowLabel: (name) => t('new.tick', { name }),
          }}
          isBusy={proposal.isPlaceholderData}
          empty={
            <EmptyState icon="inbox" title={bankId === null ? t('new.noBank') : t('new.empty')}>
              {bankId === null ? t('new.noBankMeans') : t('new.emptyMeans')}
            </EmptyState>
          }
          phoneGrid={PHONE_GRID}
          minWidth={620}
        />
        <aside className={classes.aside}>
          <RunSums chosen={chosen} combine={combine} />
          {proposal.data ? (
            <>
              <SetOffList setOffs={proposal.data.setOffs} />
              <LeftOutList leftOut={proposal.data.leftOut} later={proposal.data.later} dueUntil={dueUntil} />
            </>
          ) : null}
        </aside>
      </div>
      <footer className={classes.foot}>
        <b>{t('new.selected', { count: chosen.length, of: rows.length })}</b>
        {lateCount === 0 ? null : <span className={classes.late}>{t('new.late', { count: lateCount })}</span>}
        <span className={classes.grow} />
        <span className={classes.keys}>
          <KeyHint>{t('new.space')}</KeyHint> {t('new.keyTick')} <KeyHint>Shift</KeyHint> {t('new.keyMore')}
        </span>
        <span className={classes.sum}>{format.euro(sum)}</span>
        <Button
          variant="filled"
          className={classes.go}
          disabled={why !== null}
          title={why ?? undefined}
          loading={make.isPending}
          onClick={press}
        >
          {t('new.createCount', { count: chosen.length })}
        </Button>
      </footer>
    </>
  )
}

function useColumns(): readonly Column<ProposedInvoice>[] {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  return useMemo(
    (): readonly Column<ProposedInvoice>[] => [
      { key: 'carrier', head: t('column.carrier'), cell: ({ carrierCompany }) => carrierCompany.title },
      {
        key: 'number',
        head: t('column.invoice'),
        width: 136,
        cell: ({ id, number }) => (
          <Link to="/invoices/$id/edit" params={{ id: String(id) }}>
            {number}
          </Link>
        ),
      },
      {
        key: 'orders',
        head: t('column.order'),
        width: 92,
        isHiddenOnPhone: true,
        cell: ({ orders }) => orders.map(({ title }) => title).join(', '),
      },
      {
        key: 'due',
        head: t('column.due'),
        width: 104,
        cell: ({ dueDate, isLate }) =>
          dueDate === null ? '–' : <span className={isLate ? classes.late : undefined}>{format.date(dueDate)}</span>,
      },
      {
        key: 'iban',
        head: t('column.iban'),
        width: 92,
        isHiddenOnPhone: true,
        cell: ({ ibanCountryCode, ibanTail }) =>
          ibanTail === null || ibanCountryCode === null ? (
            '–'
          ) : (
            <>
              <CountryCode code={ibanCountryCode} /> … {ibanTail}
            </>
          ),
      },
      {
        key: 'total',
        head: t('column.total'),
        width: 104,
        align: 'end',
        cell: ({ totalCents }) => format.money(totalCents),
      },
    ],
    [t, format],
  )
}
