import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { setOffInvoices, type SetOff } from '@waybill/contract/payment-file/payment-file'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { useRefusalWords } from '../../kit/i18n/error-text.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { notify } from '../../ui/notices/notify.tsx'
import { Light } from './light.tsx'
import classes from './payment-file.module.css'

/** Invoices and credit notes that come to the same, each group with its button. */
export function SetOffList({ setOffs }: { setOffs: readonly SetOff[] }) {
  const { t } = useTranslation('payment-file')
  if (setOffs.length === 0) return null
  return (
    <section className={`${classes.block} ${classes.left}`} aria-label={t('setOff.title')}>
      <h2 className={classes.heading}>{t('setOff.title')}</h2>
      <p className={classes.dim}>{t('setOff.means')}</p>
      <ul className={classes.leftList}>
        {setOffs.map((one) => (
          <SetOffLine key={one.invoices.map(({ id }) => id).join(' ')} setOff={one} />
        ))}
      </ul>
    </section>
  )
}

function SetOffLine({ setOff: { carrierCompany, invoices, totalCents } }: { setOff: SetOff }) {
  const { t } = useTranslation('payment-file')
  const format = useFormat()
  const refusalWords = useRefusalWords()
  const client = useQueryClient()
  const numbers = invoices.map(({ title }) => title).join(', ')
  const close = useMutation({
    mutationFn: () =>
      callApi(setOffInvoices, {
        body: { invoiceIds: invoices.map(({ id }) => id) },
        idempotencyKey: newIdempotencyKey(),
      }),
    onSuccess: () => notify({ tone: 'ok', title: t('setOff.done', { numbers }), closeLabel: t('common:close') }),
    onError: (error) =>
      notify({
        tone: 'danger',
        title: t('setOff.not'),
        detail: refusalWords(error).join(' '),
        closeLabel: t('common:close'),
      }),
    onSettled: () => client.invalidateQueries({ queryKey: ['payment-files', 'proposal'] }),
  })
  return (
    <li>
      <Light look="look" />
      <span className={classes.leftText}>
        {carrierCompany.title}
        <span className={classes.dim}>{numbers}</span>
      </span>
      <span className={classes.amount}>{format.money(totalCents)}</span>
      <Button
        size="compact-sm"
        loading={close.isPending}
        aria-label={t('setOff.one', { carrier: carrierCompany.title, numbers })}
        onClick={() => close.mutate()}
      >
        {t('setOff.do')}
      </Button>
    </li>
  )
}
