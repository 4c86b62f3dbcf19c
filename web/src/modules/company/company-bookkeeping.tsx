import { Button } from '@mantine/core'
import { chartAccounts } from '@waybill/contract/bookkeeping/chart'
import {
  ACCOUNT_LENGTHS,
  BOOKED_SIDES,
  CHARTS,
  MOST_ACCOUNTS,
  type BookedSide,
} from '@waybill/contract/bookkeeping/settings'
import { VAT_CATEGORIES } from '@waybill/contract/invoice/vat'
import { useTranslation } from 'react-i18next'
import { FormChoice } from '../../kit/form/fields/choice-field.tsx'
import { FormDigits } from '../../kit/form/fields/digits-field.tsx'
import { FormNumber, FormText } from '../../kit/form/fields/fields.tsx'
import { useField } from '../../kit/form/state/form-context.ts'
import { newKey } from '../../kit/form/state/values.ts'
import { CheckField } from '../../ui/fields/check-field.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { IconButton } from '../../ui/marks/icon-button.tsx'
import { Icon } from '../../ui/marks/icon.tsx'
import { Section } from '../../ui/page/section.tsx'
import classes from './company-bookkeeping.module.css'
import { emptyBookkeeping, type BookkeepingValues, type VatAccountValues } from './company-values.ts'

const MONTHS = Array.from({ length: 12 }, (_none, index) => index + 1)
const LENGTHS = Array.from(
  { length: ACCOUNT_LENGTHS.longest - ACCOUNT_LENGTHS.shortest + 1 },
  (_none, index) => ACCOUNT_LENGTHS.shortest + index,
)

/** How the company's bookings reach its tax adviser; nothing of it is asked until somebody wants it. */
export function CompanyBookkeeping() {
  const { t } = useTranslation('company-bookkeeping')
  const settings = useField<BookkeepingValues | null>('bookkeeping')
  return (
    <Section title={t('title')} summary={t('means')}>
      <div data-path="bookkeeping">
        <CheckField
          name="bookkeeping"
          label={t('use')}
          checked={settings.value !== null}
          isChanged={settings.isChanged}
          disabled={settings.isReadOnly}
          onChange={(event) => settings.set(event.currentTarget.checked ? emptyBookkeeping() : null)}
        />
        {settings.value === null ? null : <Fields settings={settings.value} onChart={settings.set} />}
      </div>
    </Section>
  )
}

function Fields({
  settings,
  onChart,
}: {
  settings: BookkeepingValues
  onChart: (settings: BookkeepingValues) => void
}) {
  const { t, i18n } = useTranslation('company-bookkeeping')
  const { isReadOnly } = useField('bookkeeping')
  const monthName = new Intl.DateTimeFormat(i18n.language, { month: 'long', timeZone: 'UTC' })
  const begin = (chart: 'SKR03' | 'SKR04') => {
    const { accounts, ...rest } = chartAccounts(chart, settings.accountLength ?? ACCOUNT_LENGTHS.shortest)
    onChart({ ...settings, ...rest, accounts: accounts.map((one) => ({ ...one, key: newKey() })) })
  }
  return (
    <div className={classes.fields}>
      <FieldGrid>
        <FormDigits name="bookkeeping.consultantNumber" label={t('fields.consultantNumber')} hint={t('datevMeans')} />
        <FormDigits name="bookkeeping.clientNumber" label={t('fields.clientNumber')} />
        <NumberChoice
          name="bookkeeping.fiscalYearMonth"
          label={t('fields.fiscalYearMonth')}
          choices={MONTHS.map((month) => [month, monthName.format(new Date(Date.UTC(2026, month - 1, 1)))])}
        />
        <NumberChoice
          name="bookkeeping.accountLength"
          label={t('fields.accountLength')}
          hint={t('lengthMeans')}
          choices={LENGTHS.map((length) => [length, t('digits', { count: length })])}
        />
        <FormChoice
          name="bookkeeping.chart"
          label={t('fields.chart')}
          choices={CHARTS.map((chart) => ({ value: chart, label: t(`chart.${chart}`) }))}
        />
        {isReadOnly ? null : (
          <div className={classes.begin}>
            <Button size="compact-sm" onClick={() => begin('SKR03')}>
              {t('begin', { chart: 'SKR03' })}
            </Button>
            <Button size="compact-sm" onClick={() => begin('SKR04')}>
              {t('begin', { chart: 'SKR04' })}
            </Button>
          </div>
        )}
        <FormDigits name="bookkeeping.bankAccount" label={t('fields.bankAccount')} hint={t('bankMeans')} isRequired />
        <FormDigits
          name="bookkeeping.clearingAccount"
          label={t('fields.clearingAccount')}
          hint={t('clearingMeans')}
          isRequired
        />
        <FormDigits name="bookkeeping.feeAccount" label={t('fields.feeAccount')} hint={t('claimsMean')} />
        <FormDigits name="bookkeeping.interestAccount" label={t('fields.interestAccount')} />
      </FieldGrid>
      {BOOKED_SIDES.map((side) => (
        <Accounts key={side} side={side} />
      ))}
    </div>
  )
}

/** A choice among numbers, which the form holds as numbers. */
function NumberChoice({
  name,
  label,
  hint,
  choices,
}: {
  name: string
  label: string
  hint?: string
  choices: readonly (readonly [number, string])[]
}) {
  const field = useField<number | null>(name)
  return (
    <SelectField
      name={name}
      label={label}
      hint={hint}
      error={field.error}
      isChanged={field.isChanged}
      readOnly={field.isReadOnly}
      allowDeselect={false}
      data={choices.map(([value, text]) => ({ value: String(value), label: text }))}
      value={field.value === null ? null : String(field.value)}
      onChange={(value) => field.set(value === null ? null : Number(value))}
    />
  )
}

/** The accounts of one side, by VAT category and rate. */
function Accounts({ side }: { side: BookedSide }) {
  const { t } = useTranslation('company-bookkeeping')
  const accounts = useField<VatAccountValues[]>('bookkeeping.accounts')
  const ofSide = accounts.value.map((one, index) => ({ one, index })).filter(({ one }) => one.side === side)
  const add = () =>
    accounts.set([
      ...accounts.value,
      {
        key: newKey(),
        side,
        vatCategory: 'S',
        vatBp: null,
        account: null,
        taxKey: null,
        skontoAccount: null,
        creditAccount: null,
      },
    ])
  return (
    <fieldset className={classes.side}>
      <legend>{t(`side.${side}`)}</legend>
      {ofSide.length === 0 ? <p className={classes.none}>{t('none')}</p> : null}
      {side === 'income' && ofSide.length > 0 ? (
        <p className={classes.none}>{`${t('fields.creditAccount')}: ${t('creditMeans')}`}</p>
      ) : null}
      <ol className={classes.rows}>
        {ofSide.map(({ one, index }, place) => {
          const at = (field: string) => `bookkeeping.accounts.${index}.${field}`
          return (
            <li key={one.key ?? index} className={classes.row} data-side={side}>
              <FormChoice
                name={at('vatCategory')}
                label={t('fields.vatCategory')}
                choices={VAT_CATEGORIES.map((value) => ({ value, label: t(`category.${value}`) }))}
              />
              <FormNumber name={at('vatBp')} label={t('fields.vatBp')} unit="%" places={2} factor={100} isRequired />
              <FormDigits name={at('account')} label={t('fields.account')} isRequired />
              <FormText name={at('taxKey')} label={t('fields.taxKey')} maxLength={4} autoComplete="off" />
              {side === 'income' ? (
                <>
                  <FormDigits name={at('skontoAccount')} label={t('fields.skontoAccount')} />
                  <FormDigits name={at('creditAccount')} label={t('fields.creditAccount')} />
                </>
              ) : null}
              {accounts.isReadOnly ? null : (
                <div className={classes.remove}>
                  <IconButton
                    icon="trash"
                    label={t('remove', { number: place + 1 })}
                    onClick={() => accounts.set(accounts.value.toSpliced(index, 1))}
                  />
                </div>
              )}
            </li>
          )
        })}
      </ol>
      {accounts.isReadOnly || accounts.value.length >= MOST_ACCOUNTS ? null : (
        <Button size="compact-sm" variant="subtle" leftSection={<Icon name="plus" size={13} />} onClick={add}>
          {t('add')}
        </Button>
      )}
    </fieldset>
  )
}
