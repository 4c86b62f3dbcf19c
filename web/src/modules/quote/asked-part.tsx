import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getCustomerForOrder } from '@waybill/contract/customer'
import type { Quote } from '@waybill/contract/quote/quote'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../kit/api/call-api.ts'
import { TextField } from '../../ui/fields/field.tsx'
import { SelectField } from '../../ui/fields/select-field.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { CustomerSelect } from '../customer/customer-select.tsx'
import { DepartmentSelect } from '../department/department-select.tsx'
import { UnitTypeSelect } from '../type-list/type-select.tsx'
import { UserSelect } from '../user/user-select.tsx'
import { OptionalDayField } from '../typed-day/day-select.tsx'
import { FigureField } from './figure-field.tsx'
import classes from './quote.module.css'
import type { End, QuoteValues } from './quote-values.ts'

const customerQuery = (id: number) => ({
  queryKey: ['customers', id, 'for-order'],
  queryFn: () => callApi(getCustomerForOrder, { params: { id } }),
  staleTime: 60_000,
  meta: { showsRefusals: true },
})

interface AskedPartProps {
  quote: Quote | null
  values: QuoteValues
  isReadOnly: boolean
  onChange: (part: Partial<QuoteValues>) => void
}

/** What the customer asks for: who, from where to where, when, what. */
export function AskedPart({ quote, values, isReadOnly, onChange }: AskedPartProps) {
  const { t } = useTranslation('quote')
  const queries = useQueryClient()
  const { data: customer } = useQuery({
    ...customerQuery(values.customerId ?? 0),
    enabled: values.customerId !== null,
  })
  const choose = (customerId: number | null) => {
    onChange({ customerId, contactPersonId: null })
    if (customerId === null) return
    queries.fetchQuery(customerQuery(customerId)).then(
      ({ contactPersons: [first] }) => onChange({ contactPersonId: first?.id ?? null }),
      // Without them the person chooses by hand.
      () => undefined,
    )
  }
  const people = customer?.contactPersons ?? []
  return (
    <>
      <div className={classes.four}>
        <div data-double>
          <CustomerSelect
            label={t('fields.customerId')}
            isRequired
            isReadOnly={isReadOnly}
            value={values.customerId}
            current={quote?.customer ?? null}
            onChange={choose}
          />
        </div>
        <SelectField
          label={t('fields.contactPersonId')}
          clearable={!isReadOnly}
          readOnly={isReadOnly}
          data={people.map(({ id, fullName }) => ({ value: String(id), label: fullName }))}
          value={values.contactPersonId === null ? null : String(values.contactPersonId)}
          onChange={(value) => onChange({ contactPersonId: value === null ? null : Number(value) })}
        />
        <OptionalDayField
          label={t('fields.validUntil')}
          isRequired
          readOnly={isReadOnly}
          value={values.validUntil}
          onChange={(day) => day !== null && onChange({ validUntil: day })}
          isKept
        />
      </div>
      {(['from', 'to'] as const).map((end) => (
        <PlaceRow key={end} end={end} quote={quote} values={values} isReadOnly={isReadOnly} onChange={onChange} />
      ))}
      <div className={classes.six}>
        <div data-double>
          <TextField
            label={t('fields.goods')}
            readOnly={isReadOnly}
            maxLength={250}
            autoComplete="off"
            value={values.goods}
            onChange={(event) => onChange({ goods: event.currentTarget.value })}
          />
        </div>
        <FigureField
          label={t('fields.quantity')}
          readOnly={isReadOnly}
          value={values.quantity}
          onChange={(quantity) => onChange({ quantity })}
        />
        <UnitTypeSelect
          label={t('fields.unitTypeId')}
          isReadOnly={isReadOnly}
          value={values.unitTypeId}
          current={quote?.unitType ?? null}
          onChange={(unitTypeId) => onChange({ unitTypeId })}
        />
        <FigureField
          label={t('fields.weightKg')}
          unit="kg"
          readOnly={isReadOnly}
          value={values.weightKg}
          onChange={(weightKg) => onChange({ weightKg })}
        />
        <FigureField
          label={t('fields.ldm')}
          unit="m"
          readOnly={isReadOnly}
          value={values.ldm}
          onChange={(ldm) => onChange({ ldm })}
        />
      </div>
      <div className={classes.four}>
        <DepartmentSelect
          label={t('fields.departmentId')}
          isRequired
          isReadOnly={isReadOnly}
          value={values.departmentId}
          current={quote?.department ?? null}
          onChange={(departmentId) => onChange({ departmentId })}
        />
        <UserSelect
          label={t('fields.caseWorkerId')}
          isReadOnly={isReadOnly}
          value={values.caseWorkerId}
          current={quote?.caseWorker ?? null}
          onChange={(caseWorkerId) => onChange({ caseWorkerId })}
        />
        <div data-double>
          <TextField
            label={t('fields.remark')}
            readOnly={isReadOnly}
            maxLength={1000}
            autoComplete="off"
            value={values.remark}
            onChange={(event) => onChange({ remark: event.currentTarget.value })}
          />
        </div>
      </div>
    </>
  )
}

function PlaceRow({ end, values, isReadOnly, onChange }: AskedPartProps & { end: End }) {
  const { t } = useTranslation('quote')
  const place = values[end]
  const set = (part: Partial<typeof place>) => onChange({ [end]: { ...place, ...part } })
  return (
    <div className={classes.four} role="group" aria-label={t(`ends.${end}`)}>
      <CountrySelect
        label={t(`countries.${end}`)}
        isRequired
        isReadOnly={isReadOnly}
        value={place.countryId}
        onChange={(countryId) => set({ countryId })}
      />
      <TextField
        label={t('fields.postal')}
        readOnly={isReadOnly}
        maxLength={20}
        autoComplete="off"
        value={place.postal}
        onChange={(event) => set({ postal: event.currentTarget.value })}
      />
      <TextField
        label={t('fields.city')}
        readOnly={isReadOnly}
        maxLength={100}
        autoComplete="off"
        value={place.city}
        onChange={(event) => set({ city: event.currentTarget.value })}
      />
      <OptionalDayField
        label={t(`dates.${end}`)}
        readOnly={isReadOnly}
        value={place.date}
        onChange={(date) => set({ date })}
        isKept
      />
    </div>
  )
}
