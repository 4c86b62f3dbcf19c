import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import {
  mayReopenEntry,
  maySettleEntry,
  reopenBankEntry,
  setBankEntryAside,
  type BankEntry,
} from '@waybill/contract/bank-statement/bank-statement'
import { listOpenInvoices } from '@waybill/contract/payment/payment'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import { ReasonWindow } from '../../kit/form/page/reason-window.tsx'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Light } from '../../ui/marks/light.tsx'
import { CountryCode } from '../../ui/marks/marks.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { CustomerSelect } from '../customer/customer-select.tsx'
import { SharesSection } from '../payment/shares-section.tsx'
import classes from './bank-statement.module.css'
import { leftOf, type Choice } from './choices.ts'
import { LIGHTS } from './lights.ts'
import { useReasonWords } from './reason-words.ts'

interface EntryPanelProps {
  entry: BankEntry
  companyId: number
  choice: Choice | undefined
  isTicked: boolean
  mayTick: boolean
  onTick: (isOn: boolean) => void
  /** null: as it is proposed */
  onChoose: (choice: Choice | null) => void
  onStep: (by: 1 | -1) => void
  onChanged: () => Promise<void>
}

/** One entry: what the bank says, why it is proposed so, and what can be changed of it. */
export function EntryPanel(props: EntryPanelProps) {
  const { entry, choice, isTicked, mayTick, onTick, onStep, onChanged } = props
  const { t } = useTranslation(['bank-statement', 'common'])
  const format = useFormat()
  const words = useReasonWords()
  const [isAsking, setAsking] = useState(false)
  const { proposal } = entry
  const isOpen = maySettleEntry(entry.status)
  const settle = useMutation({
    mutationFn: (reason: string) =>
      callApi(isOpen ? setBankEntryAside : reopenBankEntry, {
        params: { id: entry.id },
        version: entry.version,
        body: { reason },
      }),
    onSettled: onChanged,
  })
  return (
    <aside className={classes.aside} aria-label={t('bank-statement:panel.label')}>
      <div className={classes.panelHead}>
        <h2>{format.euro(entry.amountCents)}</h2>
        <span className={classes.grow} />
        <IconButton icon="chevronUp" label={t('bank-statement:key.previous')} onClick={() => onStep(-1)} />
        <IconButton icon="chevronDown" label={t('bank-statement:key.next')} onClick={() => onStep(1)} />
      </div>
      <dl className={classes.pairs}>
        <dt>{t(entry.amountCents < 0 ? 'bank-statement:panel.to' : 'bank-statement:panel.from')}</dt>
        <dd>
          {entry.partnerName ?? '–'}
          {entry.partnerIbanTail === null || entry.partnerCountryCode === null ? null : (
            <span className={classes.dim}>
              {' '}
              <CountryCode code={entry.partnerCountryCode} /> … {entry.partnerIbanTail}
            </span>
          )}
        </dd>
        <dt>{t('bank-statement:panel.dates')}</dt>
        <dd>
          {entry.bookingDate === entry.valueDate
            ? format.date(entry.valueDate)
            : t('bank-statement:panel.both', {
                booked: format.date(entry.bookingDate),
                value: format.date(entry.valueDate),
              })}
        </dd>
        <dt>{t('bank-statement:panel.text')}</dt>
        <dd className={classes.text}>{entry.remittance || '–'}</dd>
      </dl>
      {proposal === null ? (
        <Settled entry={entry} />
      ) : (
        <>
          <div className={classes.verdict}>
            <Light
              level={choice ? 'ok' : LIGHTS[proposal.verdict]}
              label={t(`bank-statement:verdict.${choice ? 'chosen' : proposal.verdict}`)}
            />
            <div>
              <b>{t(`bank-statement:verdict.${choice ? 'chosen' : proposal.verdict}`)}</b>
              <ul className={classes.reasons}>
                {proposal.reasons.map((reason) => (
                  <li key={reason.code}>{words(reason)}</li>
                ))}
              </ul>
            </div>
          </div>
          {proposal.action === 'payment' ? <Sharing {...props} /> : null}
          <div className={classes.buttons}>
            <CheckField
              label={t('bank-statement:panel.tick')}
              checked={isTicked}
              disabled={!mayTick}
              onChange={(event) => onTick(event.currentTarget.checked)}
            />
          </div>
        </>
      )}
      <div className={classes.panelFoot}>
        {isOpen || mayReopenEntry(entry) ? (
          <Button size="compact-sm" onClick={() => setAsking(true)}>
            {t(isOpen ? 'bank-statement:aside.do' : 'bank-statement:reopen.do')}
          </Button>
        ) : null}
      </div>
      {isAsking ? (
        <ReasonWindow
          of={{ path: isOpen ? 'bank-statements/aside' : 'bank-statements/reopen', id: entry.id }}
          title={t(isOpen ? 'bank-statement:aside.title' : 'bank-statement:reopen.title')}
          doLabel={t(isOpen ? 'bank-statement:aside.give' : 'bank-statement:reopen.give')}
          onGive={(reason) => settle.mutateAsync(reason)}
          onClose={() => setAsking(false)}
        >
          <p>
            {t(isOpen ? 'bank-statement:aside.text' : 'bank-statement:reopen.text', {
              amount: format.euro(entry.amountCents),
            })}
          </p>
        </ReasonWindow>
      ) : null}
    </aside>
  )
}

/** Whose payment it is, and what of it is on which invoice; what is left stands on the customer's account. */
function Sharing({ entry, companyId, choice, onChoose }: EntryPanelProps) {
  const { t } = useTranslation('bank-statement')
  const format = useFormat()
  const proposal = entry.proposal!
  const customer = choice?.customer ?? proposal.customer
  const open = useQuery({
    queryKey: ['payments', 'open', companyId, customer?.id],
    queryFn: ({ signal }) =>
      callApi(listOpenInvoices, { query: { companyId, customerId: customer!.id } as never, signal }),
    enabled: customer !== null,
  })
  const shares =
    choice?.shares ?? new Map(proposal.shares.map(({ invoice, amountCents }) => [invoice.id, amountCents] as const))
  const left = leftOf(entry, choice)
  const writeOffsWith = (invoiceId: number, cents: number) =>
    new Map([...new Map(choice?.writeOffs).set(invoiceId, cents)].filter(([, one]) => one > 0))
  return (
    <div className={classes.sharing}>
      <CustomerSelect
        label={t('panel.customer')}
        value={customer?.id ?? null}
        current={customer}
        onChange={(_id, reference) => onChoose(reference === null ? null : { customer: reference, shares: new Map() })}
      />
      {customer === null ? null : open.error ? (
        <LoadError error={open.error} onRetry={() => void open.refetch()} />
      ) : open.data === undefined ? (
        <SkeletonLines lines={3} label={t('panel.invoices')} />
      ) : open.data.items.length === 0 ? (
        <p className={classes.dim}>{t('panel.noInvoices')}</p>
      ) : (
        <div className={classes.scroll}>
          <SharesSection
            invoices={[...open.data.items].sort((a, b) => Number(shares.has(b.id)) - Number(shares.has(a.id)))}
            shares={shares}
            valueDate={entry.valueDate}
            onChange={(invoiceId, cents) =>
              // Another share leaves another rest.
              onChoose({
                customer,
                shares: new Map(shares).set(invoiceId, cents),
                writeOffs: writeOffsWith(invoiceId, 0),
              })
            }
            writtenOff={new Set(choice?.writeOffs?.keys())}
            onWriteOff={(invoiceId, cents) =>
              onChoose({ customer, shares: new Map(shares), writeOffs: writeOffsWith(invoiceId, cents) })
            }
          />
        </div>
      )}
      {customer === null ? null : (
        <p className={classes.left} data-wrong={left < 0 || undefined}>
          {left < 0
            ? t('panel.tooMuch', { amount: format.euro(-left) })
            : left === 0
              ? t('panel.allShared')
              : t('panel.toAccount', { amount: format.euro(left) })}
        </p>
      )}
      {choice === undefined || proposal.customer === null ? null : (
        <Button size="compact-sm" variant="subtle" onClick={() => onChoose(null)}>
          {t('panel.asProposed')}
        </Button>
      )}
    </div>
  )
}

/** What became of an entry. */
function Settled({ entry }: { entry: BankEntry }) {
  const { t } = useTranslation('bank-statement')
  const format = useFormat()
  return (
    <dl className={classes.pairs}>
      <dt>{t('panel.state')}</dt>
      <dd>
        {t(entry.isReversed ? 'status.reversed' : `status.${entry.status}`)}
        {entry.settledAt === null ? null : (
          <span className={classes.dim}>
            {' '}
            {format.dayTime(entry.settledAt)} {entry.settledBy?.title}
          </span>
        )}
      </dd>
      {entry.reason === null ? null : (
        <>
          <dt>{t('panel.reason')}</dt>
          <dd>{entry.reason}</dd>
        </>
      )}
      {entry.customer === null ? null : (
        <>
          <dt>{t('panel.customer')}</dt>
          <dd>{entry.customer.title}</dd>
        </>
      )}
      {entry.invoices.length === 0 ? null : (
        <>
          <dt>{t('panel.invoices')}</dt>
          <dd>
            {entry.invoices.map(({ id, title }) => (
              <Link key={id} className={classes.invoice} to="/invoices/$id/edit" params={{ id: String(id) }}>
                {title}
              </Link>
            ))}
          </dd>
        </>
      )}
      {entry.paymentFile === null ? null : (
        <>
          <dt>{t('panel.run')}</dt>
          <dd>
            <Link to={'/invoices/payment-runs' as string} search={{ view: 'runs', run: entry.paymentFile.id } as never}>
              {entry.paymentFile.title}
            </Link>
          </dd>
        </>
      )}
    </dl>
  )
}
