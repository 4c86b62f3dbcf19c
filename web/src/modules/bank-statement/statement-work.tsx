import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  bookBankEntries,
  getBankStatement,
  maySettleEntry,
  MOST_BOOKED_AT_ONCE,
  type BankEntry,
  type BankStatement,
} from '@waybill/contract/bank-statement/bank-statement'
import { PAGE_SIZES, type PageSize } from '@waybill/contract/kit/paging'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { useKept } from '../../kit/form/state/use-kept-typing.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { useShortcut } from '../../kit/shortcuts/shortcuts.ts'
import { Segmented } from '../../ui/fields/segmented.tsx'
import { Light } from '../../ui/marks/light.tsx'
import { CountryCode, KeyHint } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { EmptyState, Notice } from '../../ui/notices/notice.tsx'
import { notify } from '../../ui/notices/notify.tsx'
import { DataTable, type Column } from '../../ui/page/data-table.tsx'
import { Pager } from '../../ui/page/pager.tsx'
import classes from './bank-statement.module.css'
import { asTyped, bookedAs, choicesOf, mayTick, type Choice, type TypedChoices } from './choices.ts'
import { EntryPanel } from './entry-panel.tsx'
import { LIGHTS } from './lights.ts'
import { useReasonWords } from './reason-words.ts'

const NOTHING: TypedChoices = { choices: {}, ticks: {} }

const PHONE_GRID =
  '"select partner amount" 22px "select for date" 22px "select verdict verdict" 22px / 34px minmax(0, 1fr) auto'

/** A statement, entry by entry: what is proposed, what is ticked, and the one in hand beside it. */
export function StatementWork({ id, onList }: { id: number; onList: () => void }) {
  const { t } = useTranslation('bank-statement')
  const client = useQueryClient()
  const queryKey = ['bank-statements', 'one', id]
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(getBankStatement, { params: { id }, signal }),
  })
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey }))
  useLiveChanges('paymentFile', () => void client.invalidateQueries({ queryKey }))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return (
      <div className={classes.notice}>
        <SkeletonLines lines={8} label={t('list.title')} />
      </div>
    )
  return (
    <Entries
      key={data.id}
      statement={data}
      onList={onList}
      onChanged={() => client.invalidateQueries({ queryKey: ['bank-statements'] })}
    />
  )
}

interface EntriesProps {
  statement: BankStatement
  onList: () => void
  onChanged: () => Promise<void>
}

function Entries({ statement, onList, onChanged }: EntriesProps) {
  const { t } = useTranslation(['bank-statement', 'list', 'common'])
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const { entries } = statement
  const open = entries.filter(({ status }) => maySettleEntry(status))
  const [view, setView] = useState<'open' | 'done'>(open.length > 0 ? 'open' : 'done')
  const shown = view === 'open' ? open : entries.filter(({ status }) => !maySettleEntry(status))
  const [page, setPage] = useState(1)
  const [perPage, setPerPage] = useState<PageSize>(100)
  const pageCount = Math.max(1, Math.ceil(shown.length / perPage))
  const at = Math.min(page, pageCount)
  const rows = shown.slice((at - 1) * perPage, at * perPage)
  const chosenHere = useKept<TypedChoices>('bank-statements/choices', statement.id, NOTHING)
  const choices = useMemo(() => choicesOf(chosenHere.values), [chosenHere.values])
  // Kept is what a person has ticked or taken off; the others follow their verdict.
  const { ticks } = chosenHere.values
  const isTicked = (entry: BankEntry): boolean =>
    mayTick(entry, choices.get(entry.id)) && (ticks[entry.id] ?? entry.proposal?.verdict === 'certain')
  const chosen = open.filter(isTicked)
  const [inHand, setInHand] = useState<number | null>(null)
  const current = rows.find((entry) => entry.id === inHand) ?? rows[0] ?? null
  const step = (by: 1 | -1) => {
    const next = rows[rows.findIndex((entry) => entry.id === current?.id) + by]
    if (next !== undefined) setInHand(next.id)
  }
  const tick = (entry: BankEntry, isOn: boolean) => chosenHere.change({ ticks: { ...ticks, [entry.id]: isOn } })
  const choose = (entry: BankEntry, choice: Choice | null) =>
    chosenHere.set({
      choices: { ...chosenHere.values.choices, [entry.id]: choice === null ? null : asTyped(choice) },
      // Who says what it is for means it to be booked.
      ticks: { ...ticks, [entry.id]: choice !== null || entry.proposal?.verdict === 'certain' },
    })
  const book = useMutation({
    mutationFn: async () => {
      const all = chosen.flatMap((entry) => bookedAs(entry, choices.get(entry.id)) ?? [])
      let count = 0
      // A few hundred are one transaction; what is booked by then stays booked.
      for (let from = 0; from < all.length; from += MOST_BOOKED_AT_ONCE) {
        const body = { entries: all.slice(from, from + MOST_BOOKED_AT_ONCE) }
        const call = { params: { id: statement.id }, body, idempotencyKey: newIdempotencyKey() }
        count += (await callApi(bookBankEntries, call)).bookedCount
      }
      return count
    },
    onSuccess: (count) =>
      notify({ tone: 'ok', title: t('bank-statement:booked', { count }), closeLabel: t('common:close') }),
    onSettled: onChanged,
  })
  const press = () => {
    if (chosen.length > 0 && !book.isPending) book.mutate()
  }
  useShortcut({ key: 'j', label: t('bank-statement:key.next'), run: () => step(1) })
  useShortcut({ key: 'k', label: t('bank-statement:key.previous'), run: () => step(-1) })
  useShortcut({
    key: 'x',
    label: t('bank-statement:key.tick'),
    run: () => {
      if (current && mayTick(current, choices.get(current.id))) tick(current, !isTicked(current))
    },
  })
  useShortcut({ key: 'Enter', mod: true, label: t('bank-statement:book'), run: press })
  const columns = useColumns(choices)
  const sum = (some: readonly BankEntry[], sign: 1 | -1) =>
    some.reduce((cents, { amountCents }) => (amountCents * sign > 0 ? cents + amountCents : cents), 0)
  return (
    <>
      <div className={classes.head}>
        <div className={classes.facts}>
          <b>{statement.company.title}</b>
          <span>
            <CountryCode code={statement.countryCode} /> … {statement.ibanTail}
          </span>
          {statement.toDate === null ? null : <span>{format.date(statement.toDate)}</span>}
          {statement.number === null ? null : (
            <span>{t('bank-statement:fact.number', { number: statement.number })}</span>
          )}
          {statement.closingCents === null ? null : (
            <span>{t('bank-statement:fact.closing', { amount: format.euro(statement.closingCents) })}</span>
          )}
          {statement.knownCount === 0 ? null : (
            <span>{t('bank-statement:fact.known', { count: statement.knownCount })}</span>
          )}
          {statement.pendingCount === 0 ? null : (
            <span>{t('bank-statement:fact.pending', { count: statement.pendingCount })}</span>
          )}
        </div>
        <Segmented
          label={t('bank-statement:view.label')}
          value={view}
          onChange={(next) => {
            setView(next)
            setPage(1)
            setInHand(null)
          }}
          options={[
            { value: 'open', label: t('bank-statement:view.open', { number: format.number(open.length) }) },
            {
              value: 'done',
              label: t('bank-statement:view.done', { number: format.number(entries.length - open.length) }),
            },
          ]}
        />
      </div>
      {statement.deletedAt === null ? null : (
        <div className={classes.notice}>
          <Notice>{t('bank-statement:deleted', { date: format.day(statement.deletedAt) })}</Notice>
        </div>
      )}
      {statement.isBalanced === false ? (
        <div className={classes.notice}>
          <Notice tone="warn">{t('bank-statement:unbalanced')}</Notice>
        </div>
      ) : null}
      {book.error === null ? null : (
        <div className={classes.notice}>
          <Notice tone="danger">
            {t('bank-statement:refused')}: {[...new Set(refusalWords(book.error))].join('. ')}
          </Notice>
        </div>
      )}
      <div className={classes.columns}>
        <DataTable<BankEntry>
          label={t('bank-statement:entries')}
          columns={columns}
          rows={rows}
          rowKey={(entry) => entry.id}
          rowName={({ partnerName, amountCents }) => `${partnerName ?? ''} ${format.money(amountCents)}`.trim()}
          {...(view === 'open' && {
            selection: {
              keys: new Set(chosen.map((entry) => entry.id)),
              onChange: (keys: ReadonlySet<number>) =>
                chosenHere.change({
                  ticks: { ...ticks, ...Object.fromEntries(rows.map(({ id }) => [id, keys.has(id)])) },
                }),
              pageLabel: t('bank-statement:tickAll'),
              rowLabel: (name: string) => t('bank-statement:tick', { name }),
            },
          })}
          currentKey={current?.id ?? null}
          onRowClick={(entry) => setInHand(entry.id)}
          empty={
            <EmptyState
              icon="inbox"
              title={t(view === 'open' ? 'bank-statement:empty.open' : 'bank-statement:empty.done')}
              actions={
                <Button size="compact-sm" onClick={onList}>
                  {t('bank-statement:empty.list')}
                </Button>
              }
            />
          }
          phoneGrid={PHONE_GRID}
          minWidth={680}
        />
        {current === null ? null : (
          <EntryPanel
            key={`${current.id} ${current.version}`}
            entry={current}
            companyId={statement.company.id}
            choice={choices.get(current.id)}
            isTicked={isTicked(current)}
            mayTick={mayTick(current, choices.get(current.id))}
            onTick={(isOn) => tick(current, isOn)}
            onChoose={(choice) => choose(current, choice)}
            onStep={step}
            onChanged={onChanged}
          />
        )}
      </div>
      <footer className={classes.foot}>
        {view === 'open' ? <b>{t('bank-statement:selected', { count: chosen.length, of: open.length })}</b> : null}
        <span className={classes.keys}>
          <KeyHint>J</KeyHint> <KeyHint>K</KeyHint> {t('bank-statement:key.walk')} <KeyHint>X</KeyHint>{' '}
          {t('bank-statement:key.tick')}
        </span>
        <span className={classes.grow} />
        {shown.length <= PAGE_SIZES[0] ? null : (
          <Pager
            page={at}
            pageCount={pageCount}
            hasNext={at < pageCount}
            onPage={setPage}
            perPage={perPage}
            sizes={PAGE_SIZES}
            onPerPage={(size) => {
              setPerPage(size as PageSize)
              setPage(1)
            }}
            range={t('bank-statement:list.range', {
              first: (at - 1) * perPage + 1,
              last: (at - 1) * perPage + rows.length,
              total: shown.length,
            })}
            labels={{
              nav: t('list:pager.label'),
              rows: t('list:pager.rows'),
              previous: t('list:pager.previous'),
              next: t('list:pager.next'),
              page: (wanted) => t('list:pager.page', { page: wanted }),
            }}
          />
        )}
        {view === 'open' ? (
          <>
            <span className={classes.sums}>
              {sum(chosen, -1) === 0 ? null : <span className={classes.dim}>{format.euro(sum(chosen, -1))}</span>}
              <b>{format.euro(sum(chosen, 1))}</b>
            </span>
            <Button
              variant="filled"
              className={classes.go}
              disabled={chosen.length === 0}
              title={chosen.length === 0 ? t('bank-statement:nothingTicked') : undefined}
              loading={book.isPending}
              onClick={press}
            >
              {t('bank-statement:bookCount', { count: chosen.length })}
            </Button>
          </>
        ) : null}
      </footer>
    </>
  )
}

function useColumns(choices: ReadonlyMap<number, Choice>): readonly Column<BankEntry>[] {
  const { t } = useTranslation('bank-statement')
  const format = useFormat()
  const words = useReasonWords()
  return useMemo((): readonly Column<BankEntry>[] => {
    const isFor = (entry: BankEntry): string => {
      const { proposal, invoices, customer, paymentFile, amountCents } = entry
      const choice = choices.get(entry.id)
      if (choice) return choice.customer.title
      const run = paymentFile ?? proposal?.paymentFile
      if (run) return t(amountCents > 0 ? 'for.returned' : 'for.run', { number: run.title })
      const numbers = proposal ? proposal.shares.map(({ invoice }) => invoice) : invoices
      const whose = proposal ? proposal.customer : customer
      if (numbers.length > 0) return numbers.map(({ title }) => title).join(', ')
      if (whose) return t('for.account', { name: whose.title })
      return '–'
    }
    const standing = (entry: BankEntry) => {
      const { proposal, status } = entry
      if (proposal === null)
        return {
          level: status === 'booked' && !entry.isReversed ? ('ok' as const) : ('open' as const),
          text: entry.isReversed
            ? t('status.reversed')
            : status === 'set_aside'
              ? (entry.reason ?? '')
              : t('status.booked'),
        }
      if (choices.has(entry.id)) return { level: 'ok' as const, text: t('status.chosen') }
      // What decides comes last in a proposal; in a line that is cut it comes first.
      return { level: LIGHTS[proposal.verdict], text: proposal.reasons.toReversed().map(words).join(', ') }
    }
    return [
      { key: 'date', head: t('column.valueDate'), width: 104, cell: ({ valueDate }) => format.date(valueDate) },
      {
        key: 'partner',
        head: t('column.partner'),
        cell: ({ partnerName, remittance }) => <span title={remittance}>{partnerName ?? (remittance || '–')}</span>,
      },
      {
        key: 'amount',
        head: t('column.amount'),
        width: 104,
        align: 'end',
        cell: ({ amountCents }) => <span data-out={amountCents < 0 || undefined}>{format.money(amountCents)}</span>,
      },
      { key: 'for', head: t('column.for'), cell: (entry) => <span title={isFor(entry)}>{isFor(entry)}</span> },
      {
        key: 'verdict',
        head: t('column.why'),
        cell: (entry) => {
          const { level, text } = standing(entry)
          return (
            <span className={classes.state} title={text}>
              <Light
                level={level}
                label={
                  entry.proposal === null
                    ? text
                    : t(`verdict.${choices.has(entry.id) ? 'chosen' : entry.proposal.verdict}`)
                }
              />
              <span className={classes.why}>{text}</span>
            </span>
          )
        },
      },
    ]
  }, [t, format, words, choices])
}
