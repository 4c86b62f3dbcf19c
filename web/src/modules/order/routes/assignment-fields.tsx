import { carrierCompanyApi, type CarrierForOrder } from '@waybill/contract/carrier-company'
import { agreedPeriodDays } from '@waybill/contract/invoice/carrier-terms'
import { totalsOf } from '@waybill/contract/order/money'
import type { Order } from '@waybill/contract/order/order'
import { MultiSelect } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Fragment, memo, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { FormNumber, FormText } from '../../../kit/form/fields/fields.tsx'
import { FormReference, FormReferences } from '../../../kit/form/fields/reference-fields.tsx'
import { useField, useFormContext, useFormValue } from '../../../kit/form/state/form-context.ts'
import { useFormat } from '../../../kit/i18n/i18n.ts'
import { fieldProps, ReadOnlyField } from '../../../ui/fields/field.tsx'
import { Icon } from '../../../ui/marks/icon.tsx'
import { useTakeOnTab } from '../../../ui/fields/take-on-tab.ts'
import { CarrierCompanySelect } from '../../carrier-company/carrier-company-select.tsx'
import { usePersonMaking } from '../../partner/person-making-select.tsx'
import { VehicleTypeSelect } from '../../type-list/type-select.tsx'
import { UserMultiSelect } from '../../user/user-select.tsx'
import { RefusedAddress } from '../grid/refused-address.tsx'
import { carrierChosen } from '../values/carrier-chosen.ts'
import type { AssignmentValues } from '../values/draft.ts'
import form4 from '../grid/section.module.css'
import { known } from '../values/money.ts'
import { carrierForOrder } from '../values/parties.ts'

type Driver = CarrierForOrder['drivers'][number]

interface AssignmentFieldsProps {
  at: string
  isOwn: boolean
  carrier: CarrierForOrder | undefined
  stored: Order['routes'][number]['assignment']
  assign: (part: Partial<AssignmentValues>) => void
}

/** Says of the disponent's address that a mail server refused it. */
function DisponentRefused({ path }: { path: string }) {
  const email = useFormValue<string | null | undefined>(path)
  return <RefusedAddress email={email} />
}

/** Who drives, with whom, and for how much. */
// What is typed at the stops leaves the carrier's fields alone.
export const AssignmentFields = memo(function AssignmentFields({
  at,
  isOwn,
  carrier,
  stored,
  assign,
}: AssignmentFieldsProps) {
  const { t } = useTranslation('order')
  const format = useFormat()
  const form = useFormContext()
  const queries = useQueryClient()
  const before = useFormValue<number | null>(`${at}.carrierCompanyId`) ?? null
  const cost = known(useFormValue<number | null>(`${at}.costCents`) ?? null)
  const vat = known(useFormValue<number | null>(`${at}.vatBp`) ?? null)
  const plate = useFormValue<string | null>(`${at}.plateNumber`)
  const { totalCents } = totalsOf(cost, vat)
  const disponent = useField<string | null>(`${at}.disponentName`)
  const contactsId = useId()
  // The plate comes with the first driver: one that was typed stays, and one of a driver who is named no longer goes.
  const plateWith = (driver: Driver, chosenIds: readonly number[]) => {
    const isOfAnother = carrier?.drivers.some(({ id, plateNumber }) => plateNumber === plate && !chosenIds.includes(id))
    return plate === null || isOfAnother ? driver.plateNumber : plate
  }
  return (
    <div className={form4.fields} data-flow>
      {isOwn ? (
        <div className={form4.wide}>
          <FormReferences
            name={`${at}.driverIds`}
            select={UserMultiSelect}
            current={stored?.drivers}
            label={t('routeFields.driverIds')}
          />
        </div>
      ) : (
        <>
          <div className={form4.wide}>
            <FormReference
              name={`${at}.carrierCompanyId`}
              select={CarrierCompanySelect}
              current={stored?.carrierCompany}
              label={t('routeFields.carrierCompanyId')}
              onPick={(chosen) => carrierChosen({ form, queries, at, assign }, before, chosen)}
            />
          </div>
          <div className={form4.wide}>
            <DriverPick
              at={at}
              carrier={carrier}
              stored={stored}
              onPick={(driver, ids) => assign({ plateNumber: plateWith(driver, ids) })}
            />
          </div>
          <div>
            <FormText
              name={`${at}.disponentName`}
              label={t('routeFields.disponentName')}
              maxLength={150}
              list={contactsId}
              onInput={(event) => {
                const chosen = carrier?.dispatchContacts.find(({ fullName }) => fullName === event.currentTarget.value)
                if (chosen !== undefined && chosen.fullName !== disponent.value)
                  assign({ disponentName: chosen.fullName, disponentPhone: chosen.phone, disponentEmail: chosen.email })
              }}
            />
            <datalist id={contactsId}>
              {(carrier?.dispatchContacts ?? []).map(({ id, fullName, email }) => (
                <option key={id} value={fullName}>
                  {email}
                </option>
              ))}
            </datalist>
          </div>
          <FormText name={`${at}.disponentPhone`} label={t('routes.disponentPhone')} type="tel" maxLength={50} />
          <div className={form4.wide}>
            <FormText name={`${at}.disponentEmail`} label={t('routes.disponentEmail')} type="email" maxLength={250} />
            <DisponentRefused path={`${at}.disponentEmail`} />
          </div>
        </>
      )}
      <FormText name={`${at}.driverText`} label={t('routes.driverText')} maxLength={250} />
      <FormText name={`${at}.plateNumber`} label={t('routeFields.plateNumber')} maxLength={40} />
      <FormReference name={`${at}.vehicleTypeId`} select={VehicleTypeSelect} label={t('routeFields.vehicleTypeId')} />
      <FormText name={`${at}.signedBy`} label={t('routeFields.signedBy')} maxLength={150} />
      <div className={form4.wide}>
        <FormText name={`${at}.extraData`} label={t('routeFields.extraData')} maxLength={2000} />
      </div>
      <FormNumber
        name={`${at}.costCents`}
        label={t('routeFields.costCents')}
        unit="€"
        places={2}
        hasFixedPlaces
        factor={100}
      />
      <FormNumber name={`${at}.vatBp`} label={t('routeFields.vatBp')} unit="%" places={2} factor={100} />
      {isOwn ? null : (
        <FormNumber
          name={`${at}.paymentPeriodDays`}
          label={t('routeFields.paymentPeriodDays')}
          unit={t('daysUnit')}
          placeholder={carrier && String(agreedPeriodDays({ assignment: null, carrier }))}
        />
      )}
      <ReadOnlyField label={t('routes.total')}>{totalCents === null ? '–' : format.euro(totalCents)}</ReadOnlyField>
    </div>
  )
})

/** The carrier's drivers; the plate comes with the first. */
function DriverPick({
  at,
  carrier,
  stored,
  onPick,
}: Pick<AssignmentFieldsProps, 'at' | 'carrier' | 'stored'> & {
  onPick: (driver: Driver, chosenIds: readonly number[]) => void
}) {
  const { t } = useTranslation('order')
  const field = useField<number[]>(`${at}.driverIds`)
  const drivers = (carrier?.drivers ?? []).map(({ id, fullName }) => ({ value: String(id), label: fullName }))
  for (const { id, title } of stored?.drivers ?? [])
    if (field.value?.includes(id) && !drivers.some(({ value }) => value === String(id)))
      drivers.push({ value: String(id), label: title })
  const carrierId = useFormValue<number | null>(`${at}.carrierCompanyId`)
  const byKey = useTakeOnTab()
  const queries = useQueryClient()
  const take = (values: string[]) => {
    const ids = values.map(Number)
    field.set(ids)
    const added = carrier?.drivers.find(({ id }) => ids.includes(id) && !(field.value ?? []).includes(id))
    if (added !== undefined) onPick(added, ids)
  }
  const making = usePersonMaking('driver', {
    api: carrierCompanyApi,
    ownerId: carrierId,
    people: drivers,
    onMade: ({ id }) => {
      const ids = [...(field.value ?? []), id]
      field.set(ids)
      // The plate comes as it was entered with the driver.
      if (carrierId === null) return
      void queries.fetchQuery(carrierForOrder(carrierId)).then(
        ({ drivers: all }) => {
          const added = all.find((driver) => driver.id === id)
          if (added !== undefined) onPick(added, ids)
        },
        () => undefined,
      )
    },
  })
  const phones = (carrier?.drivers ?? []).flatMap(({ id, phone }) =>
    field.value?.includes(id) && phone !== null ? [phone] : [],
  )
  return (
    <div data-path={`${at}.driverIds`}>
      <MultiSelect
        {...fieldProps({
          label: t('routeFields.driverIds'),
          error: field.error,
          isChanged: field.isChanged,
          hint: carrier !== undefined && drivers.length === 0 ? t('routes.noDrivers') : <Phones of={phones} />,
        })}
        rightSection={<Icon name="chevronDown" size={13} />}
        rightSectionPointerEvents="none"
        data={making.data}
        searchValue={making.searchValue}
        onSearchChange={making.onSearchChange}
        value={(field.value ?? []).map(String)}
        readOnly={field.isReadOnly}
        // Not while the drivers are on their way: the hand that comes from the carrier would pass over it.
        disabled={carrierId === null}
        searchable
        {...byKey}
        placeholder={(field.value ?? []).length === 0 ? t('routes.chooseDriver') : undefined}
        nothingFoundMessage={carrier === undefined ? t('loading') : t('nothingFound')}
        onChange={(values) => {
          if (!making.isMade(values.at(-1))) take(values)
        }}
      />
      {making.window}
    </div>
  )
}

const Phones = ({ of }: { of: readonly string[] }) =>
  of.map((phone, place) => (
    <Fragment key={phone}>
      {place === 0 ? null : ', '}
      <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>
    </Fragment>
  ))
