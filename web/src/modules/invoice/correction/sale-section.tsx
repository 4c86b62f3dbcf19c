import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import { useTranslation } from 'react-i18next'
import { SectionError } from '../../../kit/api/section-error.tsx'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { Icon } from '../../../ui/marks/icon.tsx'
import { SkeletonLines } from '../../../ui/marks/skeleton.tsx'
import { Section } from '../../../ui/page/section.tsx'
import classes from './correction.module.css'
import { useSale } from './use-sale.ts'

/** The invoice and its corrections as a chain that ends in what is owed. */
export function SaleSection({ invoice, onCorrect }: { invoice: Invoice; onCorrect: (() => void) | null }) {
  const { t } = useTranslation('invoice-correction')
  const format = useFormat()
  const { data, error, refetch } = useSale(invoice)
  if (error && data === undefined)
    return <SectionError title={t('sale.title')} error={error} onRetry={() => void refetch()} />
  return (
    <Section
      title={t('sale.title')}
      summary={t('sale.means')}
      isFlush
      actions={
        onCorrect === null ? null : (
          <Button size="compact-sm" leftSection={<Icon name="edit" />} onClick={onCorrect}>
            {t('sale.correct')}
          </Button>
        )
      }
    >
      {data === undefined ? (
        <SkeletonLines lines={2} label={t('sale.title')} />
      ) : (
        <ol className={classes.chain}>
          {data.documents.map(({ id, title, kind, isAtKsef, invoiceDate, totalCents, reason }) => (
            <li key={id} data-on={id === invoice.id || undefined} data-draft={invoiceDate === null || undefined}>
              <span className={classes.what}>
                {t(`sale.kind.${kind}`)} ·{' '}
                {invoiceDate === null ? t(isAtKsef ? 'sale.atKsef' : 'sale.draft') : format.date(invoiceDate)}
              </span>
              {id === invoice.id ? (
                <b aria-current="page">{title}</b>
              ) : (
                <Link to={`/invoices/${id}/edit` as string}>{title}</Link>
              )}
              <span className={classes.amount} data-less={totalCents < 0 || undefined}>
                {format.money(totalCents)}
              </span>
              {reason === null ? null : <span className={classes.why}>{reason}</span>}
            </li>
          ))}
          <li className={classes.owed}>
            <span className={classes.what}>{t('sale.owed')}</span>
            <b className={classes.amount}>{format.euro(data.owedCents)}</b>
          </li>
        </ol>
      )}
    </Section>
  )
}
