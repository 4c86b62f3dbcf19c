import { useQuery } from '@tanstack/react-query'
import { getPaymentProposal, listDebtorBanks } from '@waybill/contract/payment-file/payment-file'
import { addDays } from '@waybill/contract/kit/local-time'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { localToday } from '../../kit/list/filter/filters.ts'
import classes from './open-items.module.css'

// As a new run proposes it.
const DUE_DAYS = 14

/** What the next payment run would pay from our first account, as the run itself would propose it. */
export function NextRun() {
  const { t } = useTranslation('open-items')
  const format = useFormat()
  const banks = useQuery({
    queryKey: ['payment-files', 'banks'],
    queryFn: ({ signal }) => callApi(listDebtorBanks, { signal }),
  })
  const bank = banks.data?.items.find(({ isConfirmed }) => isConfirmed)
  const dueUntil = addDays(localToday(), DUE_DAYS)
  const { data } = useQuery({
    queryKey: ['payment-files', 'proposal', bank?.id, dueUntil],
    queryFn: ({ signal }) =>
      callApi(getPaymentProposal, { query: { debtorBankId: bank!.id, dueUntil } as never, signal }),
    enabled: bank !== undefined,
  })
  if (banks.data !== undefined && bank === undefined)
    return (
      <aside className={classes.aside}>
        <h2>{t('run.title')}</h2>
        <p className={classes.dim}>{t('run.noBank')}</p>
      </aside>
    )
  return (
    <aside className={classes.aside}>
      <h2>{t('run.title')}</h2>
      {bank === undefined || data === undefined ? null : (
        <>
          <p>
            <span className={classes.dim}>
              {t('run.until', { date: format.date(dueUntil) })}
              <br />
              {bank.company.title}, … {bank.ibanTail}
            </span>
          </p>
          <p className={classes.runSum}>
            <span>{t('run.invoices', { count: data.items.length })}</span>
            <b>{format.euro(data.items.reduce((cents, { totalCents }) => cents + totalCents, 0))}</b>
          </p>
          {data.leftOut.length === 0 ? null : (
            <p className={classes.dim}>{t('run.leftOut', { count: data.leftOut.length })}</p>
          )}
        </>
      )}
    </aside>
  )
}
