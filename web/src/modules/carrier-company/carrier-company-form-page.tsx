import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { carrierCompanyApi, confirmCarrierBankAccount, type CarrierCompany } from '@waybill/contract/carrier-company'
import { useCallback, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi, newIdempotencyKey } from '../../kit/api/call-api.ts'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormPage, useFormTabs } from '../../kit/form/form-page.tsx'
import { LineGrid } from '../../kit/form/line-grid.tsx'
import { FormReferences } from '../../kit/form/reference-fields.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { idsInClashes, useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { useErrorText } from '../../kit/i18n/error-text.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
import { DocumentsSection } from '../document/document-section.tsx'
import { VehicleTypeMultiSelect } from '../type-list/type-select.tsx'
import { carrierPath } from './carrier-company-columns.tsx'
import { CarrierGeneral } from './carrier-company-general.tsx'
import { carrierBodyOf, carrierValuesOf, EMPTY_CARRIER, tidyCarrier, type CarrierCompanyValues } from './carrier-company-values.ts'
import { isDerivedCarrierField, useCarrierLabels, useCarrierStateQuestion, useCarrierWords } from './carrier-company-words.ts'

/** One carrier: who it is, its drivers, its vehicles, its papers. */
export function CarrierCompanyFormPage() {
  const { t } = useTranslation('carrier-company')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof carrierCompanyApi, CarrierCompanyValues>(carrierCompanyApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('one')} />
  return <CarrierForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function CarrierCompanyNewPage() {
  const { t } = useTranslation('carrier-company')
  const { data, error, refetch } = useNewRecordDraft<CarrierCompanyValues>(carrierCompanyApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('create')} />
  return <CarrierForm view={null} draft={data.draft} />
}

const TABS = ['general', 'drivers', 'vehicleTypes', 'documents'] as const
const tabOf = (path: string): (typeof TABS)[number] => (path.startsWith('drivers') ? 'drivers' : path.startsWith('vehicleTypeIds') ? 'vehicleTypes' : 'general')

function placeIn(carrier: CarrierCompany | null, list: string, id: number): number | null {
  const children = list === 'drivers' ? carrier?.drivers : list === 'contactPersons' ? carrier?.contactPersons : list === 'bankAccounts' ? carrier?.bankAccounts : undefined
  const place = children?.findIndex((child) => child.id === id) ?? -1
  return place === -1 ? null : place
}

function CarrierForm({ view, draft }: { view: CarrierCompany | null; draft: Draft<CarrierCompanyValues> | null }) {
  const { t } = useTranslation('carrier-company')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const errorText = useErrorText()
  const rail = useHistoryRail()
  const labelOf = useCarrierLabels()
  const tabs = useFormTabs(TABS, tabOf)
  const refreshAround = () => void queries.invalidateQueries({ queryKey: ['audit-entries'] })
  const form = useEntityForm<typeof carrierCompanyApi, CarrierCompanyValues>({
    api: carrierCompanyApi,
    view,
    draft,
    empty: EMPTY_CARRIER,
    valuesOf: carrierValuesOf,
    bodyOf: carrierBodyOf,
    tidy: tidyCarrier,
    reveal: (path) => tabs.select(tabOf(path)),
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.title }), closeLabel: t('form:close') })
      refreshAround()
      if (view === null && !isLeaving) void navigate({ to: carrierPath(saved.id) })
    },
  })
  const carrier = form.view
  const wordsOf = useCarrierWords(carrier, idsInClashes(form.conflict, 'countryId', 'billingAddress.countryId'))
  const owner = { carrierCompanyId: carrier?.id ?? 0 }
  const [newest] = useHistory(owner, carrier !== null).data?.pages[0]?.items ?? []
  const state = useStateChange({
    api: carrierCompanyApi,
    question: useCarrierStateQuestion(),
    onChanged: (changed) => {
      form.accept(changed)
      refreshAround()
    },
    takeRefusal: form.takeRefusal,
  })

  // The rows' callbacks stay the same while one types.
  const now = useRef({ form, refreshAround })
  now.current = { form, refreshAround }
  const confirm = useCallback(
    async (bankAccountId: number): Promise<void> => {
      const { form: current, refreshAround: refresh } = now.current
      if (current.view === null) return
      try {
        current.accept(await callApi(confirmCarrierBankAccount, { params: { id: current.view.id, bankAccountId }, version: current.view.version, idempotencyKey: newIdempotencyKey() }))
        refresh()
      } catch (error) {
        if (!current.takeRefusal(error)) notify({ tone: 'danger', title: t('bank.notConfirmed'), detail: errorText(error), closeLabel: t('form:close') })
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
      note={carrier?.state === 'inactive' ? <Mark level={2}>{t('list:state.inactive')}</Mark> : null}
      actions={
        carrier === null ? null : (
          <>
            <IconButton icon="history" label={t('history:title')} aria-pressed={rail.isOpen} onClick={rail.toggle} />
            <Button onClick={() => state.ask(carrier)}>{t(carrier.state === 'active' ? 'change.inactive.confirm' : 'change.active.confirm')}</Button>
          </>
        )
      }
      tabs={{ ...tabs, label: t('parts'), labels: { general: t('tab.general'), drivers: t('tab.drivers'), vehicleTypes: t('tab.vehicleTypes'), documents: t('tab.documents') } }}
      labelOf={labelOf}
      wordsOf={wordsOf}
      other={newest?.actor?.title ?? null}
      aside={carrier !== null && rail.isOpen ? <HistoryRail owner={owner} onHide={rail.toggle} labelOf={labelOf} wordsOf={wordsOf} isDerived={isDerivedCarrierField} placeOf={(list, id) => placeIn(carrier, list, id)} /> : null}
    >
      {tabs.current === 'general' ? <CarrierGeneral carrier={carrier} onConfirm={confirm} /> : null}
      {tabs.current === 'drivers' ? (
        <Section title={t('tab.drivers')} isFlush>
          <LineGrid
            name="drivers"
            label={t('tab.drivers')}
            columns={[
              { key: 'fullName', label: t('fields.fullName'), isRequired: true, maxLength: 150 },
              { key: 'phone', label: t('fields.phone'), maxLength: 50, inputMode: 'tel' },
              { key: 'email', label: t('fields.email'), maxLength: 250, inputMode: 'email' },
              { key: 'plateNumber', label: t('fields.plateNumber'), maxLength: 20 },
            ]}
            addLabel={t('addDriver')}
            removeLabel={(line) => t('removeLine', { what: t('line.drivers', { line }) })}
            emptyText={t('noDrivers')}
          />
        </Section>
      ) : null}
      {tabs.current === 'vehicleTypes' ? (
        <Section title={t('tab.vehicleTypes')}>
          <FormReferences name="vehicleTypeIds" label={t('fields.vehicleTypeIds')} hint={t('vehiclesMean')} select={VehicleTypeMultiSelect} current={carrier?.vehicleTypes ?? []} />
        </Section>
      ) : null}
      {tabs.current === 'documents' ? (
        <Section title={t('tab.documents')} isFlush>
          <DocumentsSection ownerKind="carrierCompany" owner={carrier === null ? null : owner} usualType="INSURANCE_DOCUMENT" onChange={refreshAround} />
        </Section>
      ) : null}
      {state.dialog}
    </FormPage>
  )
}
