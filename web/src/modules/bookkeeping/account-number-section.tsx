import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getNextAccountNumber } from '@waybill/contract/bookkeeping/bookkeeping'
import type { BookedSide } from '@waybill/contract/bookkeeping/settings'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { FormDigits } from '../../kit/form/fields/digits-field.tsx'
import { useField } from '../../kit/form/state/form-context.ts'
import classes from './account-number.module.css'

/** The number of a customer or carrier in bookkeeping, with the next free one to take. */
export function AccountNumberField({ name, side }: { name: string; side: BookedSide }) {
  const { t } = useTranslation('account-number')
  const client = useQueryClient()
  const { value, set, isReadOnly } = useField<number | null>(name)
  const queryKey = ['bookkeeping', 'next-number', side]
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => callApi(getNextAccountNumber, { query: { side }, signal }),
    enabled: value === null && !isReadOnly,
    meta: { showsRefusals: true },
  })
  const next = value === null ? (data?.number ?? null) : null
  return (
    <FormDigits
      name={name}
      label={t(`number.${side}`)}
      hint={
        next === null || isReadOnly ? (
          t('means')
        ) : (
          <button
            type="button"
            className={classes.take}
            onClick={() => {
              set(next)
              // Somebody else may have taken it by the time another one is asked for.
              client.removeQueries({ queryKey })
            }}
          >
            {t('take', { number: next })}
          </button>
        )
      }
    />
  )
}
