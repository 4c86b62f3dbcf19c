import type { ProposedInvoice } from '@waybill/contract/payment-file/payment-file'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import classes from './payment-file.module.css'

/** What each carrier gets, and all together, in the same columns. */
export function RunSums({ chosen, combine }: { chosen: readonly ProposedInvoice[]; combine: boolean }) {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  const carriers = [...Map.groupBy(chosen, ({ carrierCompany }) => carrierCompany.id).values()]
  const sumOf = (rows: readonly ProposedInvoice[]) => rows.reduce((cents, { totalCents }) => cents + totalCents, 0)
  return (
    <section className={classes.block}>
      <h2 className={classes.heading}>
        {t('sums.title')}{' '}
        {combine ? <span className={classes.dim}>{t('sums.carriers', { count: carriers.length })}</span> : null}
      </h2>
      <table className={classes.sums}>
        <tbody>
          {carriers.map((rows) => (
            <tr key={rows[0]!.carrierCompany.id}>
              <th scope="row">{rows[0]!.carrierCompany.title}</th>
              <td className={classes.dim}>{rows.length}</td>
              <td>{format.money(sumOf(rows))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('sums.total')}</th>
            <td>{chosen.length}</td>
            <td>{format.money(sumOf(chosen))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  )
}
