import { customerApi, type Customer } from '@waybill/contract/customer'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormPage, useFormTabs } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { useSession } from '../../kit/session/session.ts'
import { Section } from '../../ui/page/section.tsx'
import { placeAmong } from '../audit-entry/history-list-section.ts'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { DocumentsSection } from '../document/document-section.tsx'
import { customerPath } from './customer-columns.tsx'
import { CustomerContacts } from './customer-contacts.tsx'
import { CustomerGeneral } from './customer-general.tsx'
import { CustomerLearned } from './customer-learned.tsx'
import { CustomerPayment } from './customer-payment.tsx'
import { CustomerPlaces } from './customer-places.tsx'
import {
  CUSTOMER_TABS,
  customerBodyOf,
  customerTabOf,
  customerValuesOf,
  emptyCustomer,
  tidyCustomer,
  type CustomerValues,
} from './customer-values.ts'
import {
  isDerivedCustomerField,
  useCustomerLabels,
  useCustomerStateQuestion,
  useCustomerWords,
} from './customer-words.ts'

/** One customer. */
export function CustomerFormPage() {
  const { t } = useTranslation('customer')
  return <StoredRecord api={customerApi} label={t('one')} lines={12} form={CustomerForm} />
}

/** One that is still to be made. */
export function CustomerNewPage() {
  const { t } = useTranslation('customer')
  return <NewRecord api={customerApi} label={t('create')} lines={12} form={CustomerForm} />
}

function CustomerForm({ view, draft }: FormRecord<Customer | null, CustomerValues>) {
  const { t } = useTranslation('customer')
  const session = useSession()
  const labelOf = useCustomerLabels()
  const tabs = useFormTabs(CUSTOMER_TABS, customerTabOf)
  const [openPlace, setOpenPlace] = useState<number | null>(null)
  const [empty] = useState(() => emptyCustomer(session?.profile.id ?? null))
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
    onSaved: useAfterSave(view, { name: 'customer', titleOf: ({ title }) => title, pathOf: customerPath }),
  })
  const customer = form.view
  const clashPaths = (end: string) =>
    idsInClashes(
      form.conflict,
      ...(form.conflict?.clashes ?? []).flatMap(({ path }) => (path.endsWith(end) ? [path] : [])),
    )
  const wordsOf = useCustomerWords(customer, {
    countries: clashPaths('ountryId'),
    users: clashPaths('responsibleUserId'),
    salutations: clashPaths('salutationId'),
  })
  // Contact persons need the width more than the history does.
  const history = useRecordHistory(
    { customerId: customer?.id ?? null },
    {
      labelOf,
      wordsOf,
      isDerived: isDerivedCustomerField,
      placeOf: (list, id) =>
        placeAmong(list === 'contactPersons' || list === 'pickupLocations' ? customer?.[list] : undefined, id),
    },
    1441,
  )
  const state = useStateOfRecord(customerApi, form, useCustomerStateQuestion())
  return (
    <FormPage
      form={form}
      name={customer?.title ?? t('create')}
      back={{ to: '/customer', label: t('back') }}
      state={state}
      history={history}
      tabs={{
        ...tabs,
        label: t('parts'),
        labels: {
          general: t('tab.general'),
          places: t('tab.places'),
          payment: t('tab.payment'),
          documents: t('tab.documents'),
          contacts: t('tab.contacts'),
          learned: t('tab.learned'),
        },
      }}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      {tabs.current === 'general' ? <CustomerGeneral customer={customer} form={form} /> : null}
      {tabs.current === 'places' ? <CustomerPlaces openPlace={openPlace} onOpen={setOpenPlace} /> : null}
      {tabs.current === 'payment' ? <CustomerPayment customer={customer} /> : null}
      {tabs.current === 'documents' ? (
        <Section title={t('tab.documents')} isFlush>
          <DocumentsSection
            ownerKind="customer"
            owner={customer === null ? null : { customerId: customer.id }}
            usualType="CUSTOMER_DOCUMENTS"
          />
        </Section>
      ) : null}
      {tabs.current === 'contacts' ? <CustomerContacts /> : null}
      {tabs.current === 'learned' ? <CustomerLearned customer={customer} /> : null}
    </FormPage>
  )
}
