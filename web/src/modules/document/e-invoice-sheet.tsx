import type { EInvoice } from '@waybill/contract/e-invoice/e-invoice'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import classes from './e-invoice.module.css'

// The codes of UN/ECE recommendation 20 that freight is billed in; others are shown as they stand there.
const UNITS = ['C62', 'H87', 'KMT', 'KGM', 'TNE', 'HUR', 'DAY', 'LS'] as const

/** What an electronic invoice says, in the order of a paper: head, parties, lines, VAT, sums, bank and notes. */
export function EInvoiceSheet({ invoice }: { invoice: EInvoice }) {
  const { t } = useTranslation('e-invoice')
  const format = useFormat()
  const money = (cents: number) => `${format.money(cents)}\u00A0${invoice.currency}`
  const period =
    invoice.servicePeriodFrom === null && invoice.servicePeriodTo === null
      ? null
      : [...new Set([invoice.servicePeriodFrom, invoice.servicePeriodTo])]
          .flatMap((day) => (day === null ? [] : format.date(day)))
          .join(' – ')
  const facts = [
    ['issueDate', format.date(invoice.issueDate)],
    ['dueDate', invoice.dueDate === null ? null : format.date(invoice.dueDate)],
    ['servicePeriod', period],
    ['orderReference', invoice.orderReference],
    ['buyerReference', invoice.buyerReference],
    ['iban', invoice.iban?.replace(/(.{4})(?=.)/g, '$1\u00A0') ?? null],
    ['attachments', invoice.attachmentCount === 0 ? null : format.number(invoice.attachmentCount)],
  ] as const
  return (
    <article className={classes.sheet}>
      <header className={classes.head}>
        <h2>
          {t(`kinds.${invoice.kind}`)} {invoice.number}
        </h2>
        <span>{t(`formats.${invoice.format}`)}</span>
      </header>
      {invoice.kind === 'creditNote' ? <Notice>{t('creditNote')}</Notice> : null}
      {invoice.warnings.length === 0 ? null : (
        <Notice tone="warn">
          <ul className={classes.warnings}>
            {invoice.warnings.map((warning) => (
              <li key={warning}>{t(`warnings.${warning}`)}</li>
            ))}
          </ul>
        </Notice>
      )}
      <div className={classes.parties}>
        <Party title={t('seller')} party={invoice.seller} />
        <Party title={t('buyer')} party={invoice.buyer} />
        <dl className={classes.facts}>
          {facts.map(([name, words]) =>
            words === null ? null : (
              <div key={name}>
                <dt>{t(`fields.${name}`)}</dt>
                <dd>{words}</dd>
              </div>
            ),
          )}
        </dl>
      </div>
      {invoice.lines.length === 0 ? null : <Lines invoice={invoice} />}
      <div className={classes.sums}>
        <table aria-label={t('vatGroups')}>
          <thead>
            <tr>
              <th scope="col">{t('vat')}</th>
              <th scope="col">{t('net')}</th>
              <th scope="col">{t('vatAmount')}</th>
            </tr>
          </thead>
          <tbody>
            {invoice.vatGroups.map((group) => (
              <tr key={`${group.category} ${group.vatBp} ${group.netCents}`}>
                <td>
                  {[group.vatBp === null ? null : format.percent(group.vatBp), group.category]
                    .filter(Boolean)
                    .join(' · ')}
                  {group.reason === null ? null : <small>{group.reason}</small>}
                </td>
                <td>{format.money(group.netCents)}</td>
                <td>{format.money(group.vatCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
        <dl className={classes.totals}>
          {(
            [
              ['netCents', invoice.netCents],
              ['vatCents', invoice.vatCents],
              ['totalCents', invoice.totalCents],
              ...(invoice.payableCents === invoice.totalCents
                ? []
                : ([['payableCents', invoice.payableCents]] as const)),
            ] as const
          ).map(([name, cents]) => (
            <div key={name} data-strong={name === 'totalCents' || name === 'payableCents' || undefined}>
              <dt>{t(`totals.${name}`)}</dt>
              <dd>{money(cents)}</dd>
            </div>
          ))}
        </dl>
      </div>
      {invoice.paymentTerms === null ? null : (
        <section>
          <h3>{t('paymentTerms')}</h3>
          <p>{invoice.paymentTerms}</p>
        </section>
      )}
      {invoice.notes.length === 0 ? null : (
        <section>
          <h3>{t('notes')}</h3>
          {[...new Set(invoice.notes)].map((note) => (
            <p key={note}>{note}</p>
          ))}
        </section>
      )}
    </article>
  )
}

function Party({ title, party }: { title: string; party: EInvoice['seller'] }) {
  const { name, address, countryCode, postal, city, vatNumber } = party
  const place = [countryCode, postal, city].filter(Boolean).join(' ')
  return (
    <div>
      <h3>{title}</h3>
      <p>
        {[name, address, place, formatVatNumber(vatNumber)].map((line) =>
          line ? <span key={line}>{line}</span> : null,
        )}
      </p>
    </div>
  )
}

function Lines({ invoice }: { invoice: EInvoice }) {
  const { t } = useTranslation('e-invoice')
  const format = useFormat()
  const unitOf = (unit: string | null) => {
    const known = UNITS.find((one) => one === unit)
    return known === undefined ? unit : t(`units.${known}`)
  }
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('lines')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('line.number')}</th>
            <th scope="col">{t('line.text')}</th>
            <th scope="col">{t('line.quantity')}</th>
            <th scope="col">{t('line.unitPrice')}</th>
            <th scope="col">{t('vat')}</th>
            <th scope="col">{t('line.net', { currency: invoice.currency })}</th>
          </tr>
        </thead>
        <tbody>
          {invoice.lines.map((line, at) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines never move, and their numbers may come twice
            <tr key={at}>
              <td>{line.number}</td>
              <td>{line.text}</td>
              <td>
                {line.quantity === null
                  ? null
                  : [format.number(line.quantity, 0, 4), unitOf(line.unit)].filter(Boolean).join('\u00A0')}
              </td>
              <td>{line.unitPrice === null ? null : format.number(line.unitPrice, 2, 6)}</td>
              <td>{line.vatBp === null ? null : format.percent(line.vatBp)}</td>
              <td>{line.netCents === null ? null : format.money(line.netCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
