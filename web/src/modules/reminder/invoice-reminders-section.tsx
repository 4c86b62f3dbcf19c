import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { listInvoiceReminders } from '@waybill/contract/reminder/reminder'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { useLiveChanges } from '../../kit/live/use-live-changes.ts'
import { Section } from '../../ui/page/section.tsx'
import classes from './reminder.module.css'

/** The reminders of an invoice; nothing where there were none. */
export function InvoiceReminders({ invoiceId }: { invoiceId: number }) {
  const { t } = useTranslation('reminder')
  const format = useFormat()
  const client = useQueryClient()
  const queryKey = ['reminders', 'invoice', invoiceId]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(listInvoiceReminders, { params: { id: invoiceId }, signal }),
  })
  useLiveChanges('invoice', () => void client.invalidateQueries({ queryKey }))
  const last = data?.items.at(-1)
  if (data === undefined || last === undefined) return null
  return (
    <Section title={t('ofInvoice')} summary={t('level', { level: last.level })} isFlush>
      <table className={classes.sent}>
        <tbody>
          {data.items.map((item) => (
            <tr key={item.id}>
              <td>{format.day(item.at)}</td>
              <th scope="row">
                {t('level', { level: item.level })}
                <span className={classes.dim}>
                  {t('payUntil', { date: format.date(item.payUntil) })}
                  {item.mailed.id === invoiceId ? null : (
                    <>
                      {' · '}
                      {t('mailedWith')}{' '}
                      <Link to="/invoices/$id/edit" params={{ id: String(item.mailed.id) }}>
                        {item.mailed.title}
                      </Link>
                    </>
                  )}
                </span>
                {item.feeCents + item.interestCents === 0 ? null : (
                  <span className={classes.dim}>
                    {t('claimed', { fee: format.money(item.feeCents), interest: format.money(item.interestCents) })}
                  </span>
                )}
              </th>
              <td className={classes.dim}>{item.by?.title}</td>
              <td data-money>{format.money(item.openCents)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  )
}
