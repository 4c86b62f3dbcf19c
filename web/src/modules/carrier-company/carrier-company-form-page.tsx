import { carrierCompanyApi, confirmCarrierBankAccount, type CarrierCompany } from '@waybill/contract/carrier-company'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { FormPage, useFormTabs } from '../../kit/form/page/form-page.tsx'
import { FormReferences } from '../../kit/form/fields/reference-fields.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { notify } from '../../ui/notices/notify.tsx'
import { Section } from '../../ui/page/section.tsx'
import { placeAmong } from '../audit-entry/history-list-section.ts'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { DocumentsSection } from '../document/document-section.tsx'
import { VehicleTypeMultiSelect } from '../type-list/type-select.tsx'
import { carrierPath } from './carrier-company-columns.tsx'
import { CarrierDrivers } from './carrier-company-drivers.tsx'
import { CarrierGeneral } from './carrier-company-general.tsx'
import {
  carrierBodyOf,
  carrierValuesOf,
  EMPTY_CARRIER,
  tidyCarrier,
  type CarrierCompanyValues,
} from './carrier-company-values.ts'
import {
  isDerivedCarrierField,
  useCarrierLabels,
  useCarrierStateQuestion,
  useCarrierWords,
} from './carrier-company-words.ts'

/** One carrier: who it is, its drivers, its vehicles, its papers. */
export function CarrierCompanyFormPage() {
  const { t } = useTranslation('carrier-company')
  return <StoredRecord api={carrierCompanyApi} label={t('one')} lines={12} form={CarrierForm} />
}

/** One that is still to be made. */
export function CarrierCompanyNewPage() {
  const { t } = useTranslation('carrier-company')
  return <NewRecord api={carrierCompanyApi} label={t('create')} lines={12} form={CarrierForm} />
}

const TABS = ['general', 'drivers', 'vehicleTypes', 'documents'] as const
const tabOf = (path: string): (typeof TABS)[number] =>
  path.startsWith('drivers') ? 'drivers' : path.startsWith('vehicleTypeIds') ? 'vehicleTypes' : 'general'

function CarrierForm({ view, draft }: FormRecord<CarrierCompany | null, CarrierCompanyValues>) {
  const { t } = useTranslation('carrier-company')
  const errorText = useErrorText()
  const labelOf = useCarrierLabels()
  const tabs = useFormTabs(TABS, tabOf)
  const form = useEntityForm<typeof carrierCompanyApi, CarrierCompanyValues>({
    api: carrierCompanyApi,
    view,
    draft,
    empty: EMPTY_CARRIER,
    valuesOf: carrierValuesOf,
    bodyOf: carrierBodyOf,
    tidy: tidyCarrier,
    reveal: (path) => tabs.select(tabOf(path)),
    onSaved: useAfterSave(view, { name: 'carrierCompany', titleOf: ({ title }) => title, pathOf: carrierPath }),
  })
  const carrier = form.view
  const wordsOf = useCarrierWords(carrier, idsInClashes(form.conflict, 'countryId', 'billingAddress.countryId'))
  const history = useRecordHistory(
    { carrierCompanyId: carrier?.id ?? null },
    {
      labelOf,
      wordsOf,
      isDerived: isDerivedCarrierField,
      placeOf: (list, id) =>
        placeAmong(
          list === 'drivers' || list === 'contactPersons' || list === 'bankAccounts' ? carrier?.[list] : undefined,
          id,
        ),
    },
  )
  const state = useStateOfRecord(carrierCompanyApi, form, useCarrierStateQuestion())

  // The rows' callbacks stay the same while one types.
  const now = useRef(form)
  now.current = form
  const confirm = useCallback(
    async (bankAccountId: number): Promise<void> => {
      const current = now.current
      if (current.view === null) return
      try {
        current.accept(
          await callApi(confirmCarrierBankAccount, {
            params: { id: current.view.id, bankAccountId },
            version: current.view.version,
            idempotencyKey: newIdempotencyKey(),
          }),
        )
      } catch (error) {
        if (!current.takeRefusal(error))
          notify({
            tone: 'danger',
            title: t('bank.notConfirmed'),
            detail: errorText(error),
            closeLabel: t('form:close'),
          })
      }
    },
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the form is read when it is called
    [t],
  )
  return (
    <FormPage
      form={form}
      name={carrier?.title ?? t('create')}
      back={{ to: '/carrier-companies', label: t('back') }}
      state={state}
      history={history}
      tabs={{
        ...tabs,
        label: t('parts'),
        labels: {
          general: t('tab.general'),
          drivers: t('tab.drivers'),
          vehicleTypes: t('tab.vehicleTypes'),
          documents: t('tab.documents'),
        },
      }}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      {tabs.current === 'general' ? <CarrierGeneral carrier={carrier} onConfirm={confirm} /> : null}
      {tabs.current === 'drivers' ? <CarrierDrivers /> : null}
      {tabs.current === 'vehicleTypes' ? (
        <Section title={t('tab.vehicleTypes')}>
          <FormReferences
            name="vehicleTypeIds"
            label={t('fields.vehicleTypeIds')}
            hint={t('vehiclesMean')}
            select={VehicleTypeMultiSelect}
            current={carrier?.vehicleTypes ?? []}
          />
        </Section>
      ) : null}
      {tabs.current === 'documents' ? (
        <Section title={t('tab.documents')} isFlush>
          <DocumentsSection
            ownerKind="carrierCompany"
            owner={carrier === null ? null : { carrierCompanyId: carrier.id }}
            usualType="INSURANCE_DOCUMENT"
          />
        </Section>
      ) : null}
    </FormPage>
  )
}
