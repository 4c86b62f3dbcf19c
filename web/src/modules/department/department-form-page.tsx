import { departmentApi, type Department } from '@waybill/contract/department'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { FormCheck, FormNumber, FormText } from '../../kit/form/fields/fields.tsx'
import { FormPage, useFormTabs } from '../../kit/form/page/form-page.tsx'
import { FormReference } from '../../kit/form/fields/reference-fields.tsx'
import { NewRecord, StoredRecord, useAfterSave } from '../../kit/form/page/record-form.tsx'
import { useStateOfRecord } from '../../kit/form/page/state-change.tsx'
import { idsInClashes } from '../../kit/form/state/entity-form.ts'
import { useEntityForm } from '../../kit/form/state/use-entity-form.ts'
import type { FormRecord } from '../../kit/form/state/use-form-record.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { ReadOnlyField } from '../../ui/fields/field.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { SkeletonLines } from '../../ui/marks/skeleton.tsx'
import { Section } from '../../ui/page/section.tsx'
import { useRecordHistory } from '../audit-entry/history-section.tsx'
import { CompanySelect } from '../company/company-select.tsx'
import { CountrySelect } from '../country/country-select.tsx'
import { departmentPath } from './department-columns.tsx'
import { useDepartmentLabels, useDepartmentStateQuestion, useDepartmentWords } from './department-words.ts'

/** What the form holds: the write shape, where a field may be empty while it is typed. */
interface DepartmentValues {
  abbreviation: string | null
  companyId: number | null
  countryId: number | null
  city: string | null
  phone: string | null
  email: string | null
  isNeutral: boolean
  showsCarrier: boolean
  demandedInsuranceCents: number | null
}

const EMPTY: DepartmentValues = {
  abbreviation: null,
  companyId: null,
  countryId: null,
  city: null,
  phone: null,
  email: null,
  isNeutral: false,
  showsCarrier: false,
  demandedInsuranceCents: null,
}
const valuesOf = ({
  abbreviation,
  companyId,
  countryId,
  city,
  phone,
  email,
  isNeutral,
  showsCarrier,
  demandedInsuranceCents,
}: Department): DepartmentValues => ({
  abbreviation,
  companyId,
  countryId,
  city,
  phone,
  email,
  isNeutral,
  showsCarrier,
  demandedInsuranceCents,
})
const MailTemplates = lazy(() =>
  import('../mail-template/list/mail-template-section.tsx').then((file) => ({ default: file.MailTemplateSection })),
)
const PaperTemplates = lazy(() =>
  import('../mail-template/papers/paper-template-section.tsx').then((file) => ({ default: file.PaperTemplateSection })),
)
// The parts of a stored department; a new one has no texts yet.
const TABS = ['general', 'emails', 'documents'] as const

/** One department: where it belongs, and what its mails and documents say. */
export function DepartmentFormPage() {
  const { t } = useTranslation('department')
  return <StoredRecord api={departmentApi} label={t('one')} form={DepartmentForm} />
}

/** One that is still to be made. */
export function DepartmentNewPage() {
  const { t } = useTranslation('department')
  return <NewRecord api={departmentApi} label={t('create')} form={DepartmentForm} />
}

function DepartmentForm({ view, draft }: FormRecord<Department | null, DepartmentValues>) {
  const { t } = useTranslation('department')
  const format = useFormat()
  const labelOf = useDepartmentLabels()
  const tabs = useFormTabs(TABS, () => 'general')
  const form = useEntityForm<typeof departmentApi, DepartmentValues>({
    api: departmentApi,
    view,
    draft,
    empty: EMPTY,
    valuesOf,
    bodyOf: (values) => values,
    reveal: () => tabs.select('general'),
    onSaved: useAfterSave(view, {
      name: 'department',
      titleOf: ({ abbreviation }) => abbreviation,
      pathOf: departmentPath,
    }),
  })
  const record = form.view
  const wordsOf = useDepartmentWords(
    record,
    idsInClashes(form.conflict, 'companyId'),
    idsInClashes(form.conflict, 'countryId'),
  )
  const history = useRecordHistory({ departmentId: record?.id ?? null }, { labelOf, wordsOf })
  // The texts of mails and documents are records of their own: they are not part of this form.
  const isShown = (tab: (typeof TABS)[number]) => (record === null ? 'general' : tabs.current) === tab
  const isTexts = isShown('emails') || isShown('documents')
  const state = useStateOfRecord(departmentApi, form, useDepartmentStateQuestion())
  return (
    <FormPage
      form={form}
      name={record?.abbreviation ?? t('create')}
      back={{ to: '/departments', label: t('back') }}
      state={state}
      // Each text keeps its own versions; the history is the department's.
      history={isTexts ? { ...history, button: null, rail: null } : history}
      tabs={
        record === null
          ? undefined
          : {
              ...tabs,
              label: t('parts'),
              labels: { general: t('tab.general'), emails: t('tab.emails'), documents: t('tab.documents') },
            }
      }
      isWide={isTexts}
      labelOf={labelOf}
      wordsOf={wordsOf}
    >
      {isShown('emails') && record !== null ? (
        <Suspense fallback={<SkeletonLines lines={12} label={t('tab.emails')} />}>
          <MailTemplates departmentId={record.id} />
        </Suspense>
      ) : null}
      {isShown('documents') && record !== null ? (
        <Suspense fallback={<SkeletonLines lines={8} label={t('tab.documents')} />}>
          <PaperTemplates departmentId={record.id} />
        </Suspense>
      ) : null}
      {isShown('general') ? (
        <Section title={t('one')}>
          <FieldGrid>
            <FormText
              name="abbreviation"
              label={t('fields.abbreviation')}
              isRequired
              maxLength={30}
              autoComplete="off"
            />
            <FormReference
              name="companyId"
              label={t('fields.companyId')}
              isRequired
              select={CompanySelect}
              current={record?.company ?? null}
            />
            <FormReference
              name="countryId"
              label={t('fields.countryId')}
              isRequired
              select={CountrySelect}
              current={record?.country ?? null}
            />
            <FormText name="city" label={t('fields.city')} maxLength={100} autoComplete="off" />
            <FormText name="phone" label={t('fields.phone')} type="tel" maxLength={50} autoComplete="off" />
            <FormText
              name="email"
              label={t('fields.email')}
              hint={t('emailMeans')}
              type="email"
              maxLength={250}
              autoComplete="off"
            />
            <FormNumber
              name="demandedInsuranceCents"
              label={t('fields.demandedInsuranceCents')}
              hint={t('demandedMeans')}
              unit="€"
              places={2}
              hasFixedPlaces
              factor={100}
            />
            {record === null ? null : (
              <ReadOnlyField label={t('fields.createdAt')}>{format.day(record.createdAt)}</ReadOnlyField>
            )}
            <FormCheck name="isNeutral" label={t('fields.isNeutral')} />
            <FormCheck name="showsCarrier" label={t('fields.showsCarrier')} />
          </FieldGrid>
        </Section>
      ) : null}
    </FormPage>
  )
}
