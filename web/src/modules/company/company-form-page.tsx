import { companyApi, type Company } from '@waybill/contract/company'
import type { Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FormPage } from '../../kit/form/page/form-page.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { Section } from '../../ui/page/section.tsx'
import { placeAmong } from '../audit-entry/history-list-section.ts'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { CompanyBankAccounts } from './company-bank-accounts.tsx'
import { companyPath } from './company-columns.tsx'
import { CompanyBookkeeping } from './company-bookkeeping.tsx'
import { CompanyGeneral } from './company-general.tsx'
import { CompanyInvoicing } from './company-invoicing.tsx'
import { CompanyLogo } from './company-logo.tsx'
import { CompanyReminders } from './company-reminders.tsx'
import { KsefCertificates } from './ksef-certificates.tsx'
import {
  checkCompany,
  companyBodyOf,
  companyValuesOf,
  emptyCompany,
  tidyCompany,
  type CompanyValues,
} from './company-values.ts'
import { isDerivedCompanyField, useCompanyLabels, useCompanyStateQuestion, useCompanyWords } from './company-words.ts'

/** One of our companies: what its invoices and payments need. */
export function CompanyFormPage() {
  const { t } = useTranslation('company')
  return <StoredRecord api={companyApi} label={t('one')} form={CompanyForm} />
}

/** One that is still to be made. */
export function CompanyNewPage() {
  const { t } = useTranslation('company')
  return <NewRecord api={companyApi} label={t('create')} form={CompanyForm} />
}

function CompanyForm({ view, draft }: FormRecord<Company | null, CompanyValues>) {
  const { t, i18n } = useTranslation('company')
  const labelOf = useCompanyLabels()
  const [empty] = useState(() => emptyCompany(i18n.language as Language))
  const form = useEntityForm<typeof companyApi, CompanyValues>({
    api: companyApi,
    view,
    draft,
    empty,
    valuesOf: companyValuesOf,
    bodyOf: companyBodyOf,
    tidy: tidyCompany,
    check: checkCompany,
    onSaved: useAfterSave(view, { name: 'company', titleOf: ({ title }) => title, pathOf: companyPath }),
  })
  const record = form.view
  const wordsOf = useCompanyWords(record, idsInClashes(form.conflict, 'countryId'))
  const history = useRecordHistory(
    { companyId: record?.id ?? null },
    {
      labelOf,
      wordsOf,
      isDerived: isDerivedCompanyField,
      placeOf: (list, id) => placeAmong(list === 'bankAccounts' ? record?.bankAccounts : undefined, id),
    },
  )
  const state = useStateOfRecord(companyApi, form, useCompanyStateQuestion())
  return (
    <FormPage
      form={form}
      name={record?.title ?? t('create')}
      back={{ to: '/companies', label: t('back') }}
      state={state}
      history={history}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      <CompanyGeneral company={record} />
      <CompanyInvoicing company={record} />
      <CompanyReminders />
      <CompanyBookkeeping />
      {record === null || record.ksefMode === 'off' ? null : <KsefCertificates company={record} />}
      <Section title={t('sections.logo')}>
        <CompanyLogo company={record} onChanged={form.accept} takeRefusal={form.takeRefusal} />
      </Section>
      <Section title={t('fields.bankAccounts')}>
        <CompanyBankAccounts company={record} onConfirmed={form.accept} takeRefusal={form.takeRefusal} />
      </Section>
    </FormPage>
  )
}
