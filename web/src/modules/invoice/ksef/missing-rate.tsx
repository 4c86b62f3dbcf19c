import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { putNbpRate } from '@waybill/contract/invoice/ksef/ksef'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../../kit/api/call-api.ts'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText, useRefusalWords } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { TextField } from '../../../ui/fields/field.tsx'
import { RefusalsNotice } from '../../../ui/notices/refusals-notice.tsx'
import classes from './ksef-part.module.css'

/** `4,2662` or `4.2662` as ten-thousandths; null where it is none. */
function rateOf(typed: string): number | null {
  const [, whole, places = ''] = /^\s*(\d{1,2})(?:[.,](\d{1,4}))?\s*$/.exec(typed) ?? []
  return whole === undefined ? null : Number(whole) * 10_000 + Number(places.padEnd(4, '0'))
}

interface MissingRateProps {
  day: string
  queryKey: readonly unknown[]
  isSaid?: boolean
}

/** Where the euro rate of a day is typed; `queryKey` says what to look at anew then. `isSaid`: why, stands above. */
export function MissingRate({ day, queryKey, isSaid = false }: MissingRateProps) {
  const { t } = useTranslation('ksef')
  const format = useFormat()
  const queries = useQueryClient()
  const fieldErrorText = useFieldErrorText()
  const refusalWords = useRefusalWords()
  const kept = useKept(`nbp-rates/${day}`, 'new', { table: '', rate: '' })
  const { table, rate: typed } = kept.values
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusals, setRefusals] = useState<readonly string[]>([])
  const rateE4 = rateOf(typed)
  const [, number] = /^\s*(\d{1,3})/.exec(table) ?? []
  const save = async () => {
    setTried(true)
    if (rateE4 === null || number === undefined) return
    setBusy(true)
    try {
      await callApi(putNbpRate, {
        params: { day },
        body: { tableNumber: `${number.padStart(3, '0')}/A/NBP/${day.slice(0, 4)}`, rateE4 },
      })
      void kept.forget()
      await queries.invalidateQueries({ queryKey })
    } catch (error) {
      setRefusals(refusalWords(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form
      className={classes.ask}
      onSubmit={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
    >
      <RefusalsNotice refusals={refusals} />
      {isSaid ? null : <p>{t('rate.means', { date: format.date(day) })}</p>}
      <div className={classes.two}>
        <TextField
          label={t('rate.table')}
          isRequired
          value={table}
          maxLength={20}
          autoComplete="off"
          placeholder={`226/A/NBP/${day.slice(0, 4)}`}
          error={isTried && number === undefined ? fieldErrorText('required') : undefined}
          onChange={(event) => kept.change({ table: event.currentTarget.value })}
        />
        <TextField
          label={t('rate.rate')}
          name="exchangeRate"
          isRequired
          isNumeric
          value={typed}
          maxLength={8}
          inputMode="decimal"
          autoComplete="off"
          placeholder={format.number(4.2662, 4, 4)}
          error={isTried && rateE4 === null ? fieldErrorText('required') : undefined}
          onChange={(event) => kept.change({ rate: event.currentTarget.value })}
        />
      </div>
      <div className={classes.buttons}>
        <Button type="submit" size="compact-sm" variant="filled" loading={isBusy}>
          {t('rate.enter')}
        </Button>
      </div>
    </form>
  )
}
