import { Button } from '@mantine/core'
import { aroundSkipped, isRealDate } from '@waybill/contract/kit/local-time'
import type { CarrierChoice } from '@waybill/contract/order/choice/carrier-choice'
import type { PriceRound } from '@waybill/contract/order/choice/price-round'
import { useTranslation } from 'react-i18next'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { CheckField } from '../../../ui/fields/check-field.tsx'
import { TextAreaField, TextField } from '../../../ui/fields/field.tsx'
import { Notice } from '../../../ui/notices/notice.tsx'
import { RefusedAddresses } from '../../email/refused-address-section.tsx'
import { CentsField } from '../../payment/cents-section.tsx'
import classes from './choice.module.css'

export interface Asked {
  /** Null: nobody has ticked or unticked one yet */
  ids: readonly number[] | null
  /** As the field holds it: a local time */
  deadline: string
  limitCents: number | null
  remark: string
}

const FIRST = 5
const HOURS = 3

/** Who is ticked at first: the first ones that could be sent, and have an address. */
export const firstAsked = (items: readonly CarrierChoice[]): number[] =>
  items
    .filter(({ isCleared, email }) => isCleared && email !== null)
    .slice(0, FIRST)
    .map(({ id }) => id)

const two = (number: number) => String(number).padStart(2, '0')

/** A few hours from now, at a full hour, as a field of the browser takes it. */
export function laterToday(now: Date = new Date()): string {
  const later = new Date(now)
  later.setHours(later.getHours() + HOURS, 0, 0, 0)
  const day = [later.getFullYear(), two(later.getMonth() + 1), two(later.getDate())].join('-')
  return `${day}T${two(later.getHours())}:00`
}

/** What the clocks here show around a local time that they skip; null for one that there is. */
function skippedHere(typed: string): { earlier: string; later: string } | null {
  const [date = '', time = ''] = typed.split('T')
  if (!isRealDate(date) || time === '') return null
  return aroundSkipped(date, time.slice(0, 5), Intl.DateTimeFormat().resolvedOptions().timeZone)
}

export const isDeadline = (typed: string): boolean => Date.parse(typed) > Date.now() && skippedHere(typed) === null

interface AskPartProps {
  items: readonly CarrierChoice[]
  asked: Asked
  ids: readonly number[]
  /** The one that is open: before it is closed nobody is asked again */
  round: PriceRound | null
  isReadOnly: boolean
  onChange: (asked: Asked) => void
  onClose: () => void
}

/** Whom to ask for a price, until when, and what they are told beside the transport. */
export function AskPart({ items, asked, ids, round, isReadOnly, onChange, onClose }: AskPartProps) {
  const { t } = useTranslation('carrier-choice')
  const format = useFormat()
  const fieldErrorText = useFieldErrorText()
  const skipped = skippedHere(asked.deadline)
  if (round !== null)
    return (
      <Notice tone="info">
        {t('ask.isOpen', { when: format.dayTime(round.deadline) })}{' '}
        <Button size="compact-sm" disabled={isReadOnly} onClick={onClose}>
          {t('answers.close')}
        </Button>
      </Notice>
    )
  const toggle = (id: number, isOn: boolean) =>
    onChange({ ...asked, ids: isOn ? [...ids, id] : ids.filter((one) => one !== id) })
  return (
    <>
      <p className={classes.sentence}>{t('ask.toMeans')}</p>
      <div className={classes.scroll} data-low>
        <table className={classes.table} aria-label={t('ask.to')}>
          <thead>
            <tr>
              <th>{t('columns.carrier')}</th>
              <th>{t('ask.columns.email')}</th>
              <th data-end>{t('columns.price')}</th>
            </tr>
          </thead>
          <tbody>
            {items.map((one) => (
              <tr key={one.id} data-kept={!one.isCleared || undefined}>
                <td>
                  <CheckField
                    label={one.title}
                    aria-label={t('ask.tick', { carrier: one.title })}
                    checked={ids.includes(one.id)}
                    disabled={one.email === null || isReadOnly}
                    onChange={(event) => toggle(one.id, event.currentTarget.checked)}
                  />
                  <span className={classes.why}>{t(`short.${one.why}`)}</span>
                </td>
                <td>{one.email ?? <span className={classes.dim}>{t('ask.noAddress')}</span>}</td>
                <td data-end>{one.priceCents === null ? '–' : format.money(one.priceCents)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <RefusedAddresses addresses={[...new Set(items.map(({ email }) => email))]} />
      <div className={classes.asking}>
        <TextField
          type="datetime-local"
          label={t('ask.deadline')}
          isRequired
          value={asked.deadline}
          error={
            skipped !== null
              ? fieldErrorText('no_such_time', skipped)
              : isDeadline(asked.deadline)
                ? undefined
                : t('ask.deadlineMissing')
          }
          disabled={isReadOnly}
          onChange={(event) => onChange({ ...asked, deadline: event.currentTarget.value })}
        />
        <CentsField
          label={t('ask.limit')}
          note={t('ask.limitNote')}
          rightSection="€"
          value={asked.limitCents}
          disabled={isReadOnly}
          onChange={(limitCents) => onChange({ ...asked, limitCents })}
        />
        <TextAreaField
          label={t('ask.remark')}
          value={asked.remark}
          maxLength={1000}
          minRows={1}
          disabled={isReadOnly}
          onChange={(event) => onChange({ ...asked, remark: event.currentTarget.value })}
        />
      </div>
    </>
  )
}
