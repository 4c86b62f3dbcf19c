import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { companyApi, type Company } from '@waybill/contract/company'
import type { Language } from '@waybill/contract/errors'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LoadError } from '../../kit/api/load-error.tsx'
import type { Draft } from '../../kit/form/draft-store.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import { useStateChange } from '../../kit/form/state-change.tsx'
import { idsInClashes, useEntityForm } from '../../kit/form/use-entity-form.ts'
import { useFormRecord, useNewRecordDraft } from '../../kit/form/use-form-record.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Mark } from '../../ui/marks.tsx'
import { notify } from '../../ui/notify.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { HistoryRail, useHistory, useHistoryRail } from '../audit-entry/history-section.tsx'
import { CompanyBankAccounts } from './company-bank-accounts.tsx'
import { companyPath } from './company-columns.tsx'
import { CompanyGeneral } from './company-general.tsx'
import { CompanyInvoicing } from './company-invoicing.tsx'
import { CompanyLogo } from './company-logo.tsx'
import { checkCompany, companyBodyOf, companyValuesOf, emptyCompany, tidyCompany, type CompanyValues } from './company-values.ts'
import { isDerivedCompanyField, placeInCompany, useCompanyLabels, useCompanyStateQuestion, useCompanyWords } from './company-words.ts'

/** One of our companies: what its invoices and payments need. */
export function CompanyFormPage() {
  const { t } = useTranslation('company')
  const { id } = useParams({ strict: false }) as { id: string }
  const { data, error, refetch } = useFormRecord<typeof companyApi, CompanyValues>(companyApi, Number(id))
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('one')} />
  return <CompanyForm key={id} view={data.view} draft={data.draft} />
}

/** One that is still to be made. */
export function CompanyNewPage() {
  const { t } = useTranslation('company')
  const { data, error, refetch } = useNewRecordDraft<CompanyValues>(companyApi)
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <SkeletonLines lines={4} label={t('create')} />
  return <CompanyForm view={null} draft={data.draft} />
}

function CompanyForm({ view, draft }: { view: Company | null; draft: Draft<CompanyValues> | null }) {
  const { t, i18n } = useTranslation('company')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const rail = useHistoryRail()
  const labelOf = useCompanyLabels()
  const refreshAround = () => void queries.invalidateQueries({ queryKey: ['audit-entries'] })
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
    onSaved: (saved, isLeaving) => {
      notify({ tone: 'ok', title: t('saved', { title: saved.title }), closeLabel: t('form:close') })
      refreshAround()
      if (view === null && !isLeaving) void navigate({ to: companyPath(saved.id) })
    },
  })
  const record = form.view
  const wordsOf = useCompanyWords(record, idsInClashes(form.conflict, 'countryId'))
  const owner = { companyId: record?.id ?? 0 }
  const [newest] = useHistory(owner, record !== null).data?.pages[0]?.items ?? []
  const accept = (changed: Company) => {
    form.accept(changed)
    refreshAround()
  }
  const state = useStateChange({
    api: companyApi,
    question: useCompanyStateQuestion(),
    onChanged: accept,
    takeRefusal: form.takeRefusal,
  })
  return (
    <FormPage
      form={form}
      name={record?.title ?? t('create')}
      back={{ to: '/companies', label: t('back') }}
      note={record?.state === 'inactive' ? <Mark level={2}>{t('list:state.inactive')}</Mark> : null}
      actions={
        record === null ? null : (
          <>
            <IconButton icon="history" label={t('history:title')} aria-pressed={rail.isOpen} onClick={rail.toggle} />
            <Button onClick={() => state.ask(record)}>{t(record.state === 'active' ? 'change.inactive.confirm' : 'change.active.confirm')}</Button>
          </>
        )
      }
      labelOf={labelOf}
      wordsOf={wordsOf}
      other={newest?.actor?.title ?? null}
      aside={record !== null && rail.isOpen ? <HistoryRail owner={owner} onHide={rail.toggle} labelOf={labelOf} wordsOf={wordsOf} isDerived={isDerivedCompanyField} placeOf={(list, id) => placeInCompany(record, list, id)} /> : null}
    >
      <CompanyGeneral company={record} />
      <CompanyInvoicing company={record} />
      <Section title={t('sections.logo')}>
        <CompanyLogo company={record} onChanged={accept} takeRefusal={form.takeRefusal} />
      </Section>
      <Section title={t('fields.bankAccounts')}>
        <CompanyBankAccounts company={record} onConfirmed={accept} takeRefusal={form.takeRefusal} />
      </Section>
      {state.dialog}
    </FormPage>
  )
}
