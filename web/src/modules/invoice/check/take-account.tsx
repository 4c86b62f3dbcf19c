import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { carrierCompanyApi, enterCarrierBankAccount } from '@waybill/contract/carrier-company'
import type { CheckLine, InvoiceCheck } from '@waybill/contract/invoice/checking'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../../kit/api/call-api.ts'
import { useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { hasAccess } from '../../../kit/session/session.ts'
import { notify } from '../../../ui/notices/notify.tsx'
import classes from './check.module.css'

/** What can be done here about an account that keeps the payment back: take it onto the record, go and confirm it. */
export function TakeAccount({ check, line, onTaken }: { check: InvoiceCheck; line: CheckLine; onTaken: () => void }) {
  const { t } = useTranslation('invoice-check')
  const refusalWords = useRefusalWords()
  const queryClient = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const carrier = check.carrierCompany
  if (carrier === null || line.found === null || !hasAccess(enterCarrierBankAccount.access)) return null
  if (line.expected.says === 'ibanUnconfirmed')
    return (
      <Link to={`/carrier-companies/${carrier.id}/edit` as string} className={classes.link}>
        {t('account.confirm')}
      </Link>
    )
  if (line.expected.says !== 'ibanUnknown') return null
  const take = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      const params = { id: carrier.id }
      const { version } = await callApi(carrierCompanyApi.get, { params })
      await callApi(enterCarrierBankAccount, {
        params,
        version,
        idempotencyKey: newIdempotencyKey(),
        body: { bankName: null, iban: String(line.found), bic: null, invoiceId: check.id },
      })
      notify({
        tone: 'ok',
        title: t('account.taken', { carrier: carrier.title }),
        detail: t('account.takenDetail'),
        closeLabel: t('close'),
      })
      void queryClient.invalidateQueries({ queryKey: ['carrier-companies'] })
    } catch (error) {
      notify({
        tone: 'danger',
        title: t('account.notTaken'),
        detail: refusalWords(error).join(' '),
        closeLabel: t('close'),
      })
    } finally {
      setBusy(false)
      onTaken()
    }
  }
  return (
    <button type="button" className={classes.link} disabled={isBusy} onClick={() => void take()}>
      {t('account.take')}
    </button>
  )
}
