import { Button } from '@mantine/core'
import { invoiceNumber } from '@waybill/contract/company'
import { MOST_INVOICES_OF_YEAR, type HeldNumber } from '@waybill/contract/operations/overview'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import classes from './operations-page.module.css'

interface Props {
  held: HeldNumber
  isBusy: boolean
  onWord: (last: number) => void
}

const MOST_DIGITS = String(MOST_INVOICES_OF_YEAR).length

/** A company that sends no invoice since a restore, until somebody has said which number was used last. */
export function HeldNumbers({ held, isBusy, onWord }: Props) {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const [typed, setTyped] = useState(String(held.last))
  const last = Number(typed)
  const isTooSmall = typed === '' || last < held.last
  return (
    <Notice tone="warn">
      <form
        className={classes.held}
        onSubmit={(event) => {
          event.preventDefault()
          if (!isTooSmall) onWord(last)
        }}
      >
        <p>
          {t('numbers.waits', {
            company: held.title,
            restored: format.dateTime(held.restoredAt),
            backup: format.dateTime(held.backupAt),
          })}
        </p>
        <p>{t('numbers.look')}</p>
        <div className={classes.number}>
          <TextField
            label={t('numbers.last', { year: String(held.year) })}
            hint={t('numbers.next', { number: invoiceNumber(held.pattern, held.year, last + 1) })}
            error={isTooSmall ? t('numbers.tooSmall', { number: String(held.last) }) : undefined}
            isNumeric
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, MOST_DIGITS))}
          />
        </div>
        <div className={classes.buttons}>
          <Button type="submit" size="compact-sm" variant="default" disabled={isBusy || isTooSmall}>
            {t('numbers.send')}
          </Button>
        </div>
      </form>
    </Notice>
  )
}
