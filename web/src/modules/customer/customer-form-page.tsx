import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { customerApi, type Customer } from '@waybill/contract/customer'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormPage, useFormTabs } from '../../kit/form/form-page.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { idsInClashes, useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { useSession } from '../../kit/session/session.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
import { DocumentsSection } from '../document/document-section.tsx'
import { customerPath } from './customer-columns.tsx'
import { CustomerContacts } from './customer-contacts.tsx'
import { CustomerGeneral } from './customer-general.tsx'
import { CustomerPayment } from './customer-payment.tsx'
import { CustomerPlaces } from './customer-places.tsx'
import { CUSTOMER_TABS, customerBodyOf, customerTabOf, customerValuesOf, emptyCustomer, tidyCustomer, type CustomerValues } from './customer-values.ts'
import { isDerivedCustomerField, useCustomerLabels, useCustomerStateQuestion, useCustomerWords } from './customer-words.ts'

/** One customer. */
export function CustomerFormPage() {
  const { t } = useTranslation('customer')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof customerApi, CustomerValues>(customerApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('one')} />
  return <CustomerForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function CustomerNewPage() {
  const { t } = useTranslation('customer')
  const { data, error, refetch } = useNewRecordDraft<CustomerValues>(customerApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={12} label={t('create')} />
  return <CustomerForm view={null} draft={data.draft} />
}

function CustomerForm({ view, draft }: { view: Customer | null; draft: Draft<CustomerValues> | null }) {
  const { t } = useTranslation('customer')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const session = useSession()
  // Contact persons need the width more than the history does.
  const rail = useHistoryRail(1441)
  const labelOf = useCustomerLabels()
  const tabs = useFormTabs(CUSTOMER_TABS, customerTabOf)
  const [openPlace, setOpenPlace] = useState<number | null>(null)
  const [empty] = useState(() => emptyCustomer(session?.profile.id ?? null))
  const refreshAround = () => {
    void queries.invalidateQueries({ queryKey: ['audit-entries'] })
    void queries.invalidateQueries({ queryKey: [customerApi.path], predicate: ({ queryKey }) => queryKey.at(-1) !== 'form' })
  }
  const form = useEntityForm<typeof customerApi, CustomerValues>({
    api: customerApi,
    view,
    draft,
    empty,
    valuesOf: customerValuesOf,
    bodyOf: customerBodyOf,
    tidy: tidyCustomer,
    reveal: (path) => {
      const [list, place] = path.split('.')
      if (list === 'pickupLocations' && place !== undefined) setOpenPlace(Number(place))
      tabs.select(tabs.tabOf(path))
    },
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.title }), closeLabel: t('form:close') })
      refreshAround()
      if (view === null && !isLeaving) void navigate({ to: customerPath(saved.id), search: ((before: object) => before) as never })
    },
  })
  const customer = form.view
  const owner = { customerId: customer?.id ?? 0 }
  const [newest] = useHistory(owner, customer !== null).data?.pages[0]?.items ?? []
  const clashPaths = (end: string) => idsInClashes(form.conflict, ...(form.conflict?.clashes ?? []).flatMap(({ path }) => (path.endsWith(end) ? [path] : [])))
  const wordsOf = useCustomerWords(customer, { countries: clashPaths('ountryId'), users: clashPaths('responsibleUserId'), salutations: clashPaths('salutationId') })
  const state = useStateChange({
    api: customerApi,
    question: useCustomerStateQuestion(),
    onChanged: (changed) => {
      form.accept(changed)
      refreshAround()
    },
    takeRefusal: form.takeRefusal,
  })
  const placeOf = (list: string, id: number) => {
    const children = list === 'contactPersons' || list === 'pickupLocations' ? (customer?.[list] ?? []) : []
    const place = children.findIndex((one) => one.id === id)
    return place === -1 ? null : place
  }
  return (
    <FormPage
      form={form}
      name={customer?.title ?? t('create')}
      back={{ to: '/customer', label: t('back') }}
      note={customer?.state === 'inactive' ? <Mark level={2}>{t('list:state.inactive')}</Mark> : null}
      actions={
        customer === null ? null : (
          <>
            <IconButton icon="history" label={t('history:title')} aria-pressed={rail.isOpen} onClick={rail.toggle} />
            <Button onClick={() => state.ask(customer)}>{t(customer.state === 'active' ? 'change.inactive.confirm' : 'change.active.confirm')}</Button>
          </>
        )
      }
      tabs={{ ...tabs, label: t('parts'), labels: { general: t('tab.general'), places: t('tab.places'), payment: t('tab.payment'), documents: t('tab.documents'), contacts: t('tab.contacts') } }}
      labelOf={labelOf}
      wordsOf={wordsOf}
      other={newest?.actor?.title ?? null}
      aside={customer !== null && rail.isOpen ? <HistoryRail owner={owner} onHide={rail.toggle} labelOf={labelOf} wordsOf={wordsOf} isDerived={isDerivedCustomerField} placeOf={placeOf} /> : null}
    >
      {tabs.current === 'general' ? <CustomerGeneral customer={customer} form={form} onChecked={refreshAround} /> : null}
      {tabs.current === 'places' ? <CustomerPlaces openPlace={openPlace} onOpen={setOpenPlace} /> : null}
      {tabs.current === 'payment' ? <CustomerPayment customer={customer} /> : null}
      {tabs.current === 'documents' ? (
        <Section title={t('tab.documents')} isFlush>
          <DocumentsSection ownerKind="customer" owner={customer === null ? null : owner} usualType="CUSTOMER_DOCUMENTS" onChange={refreshAround} />
        </Section>
      ) : null}
      {tabs.current === 'contacts' ? <CustomerContacts /> : null}
      {state.dialog}
    </FormPage>
  )
}
