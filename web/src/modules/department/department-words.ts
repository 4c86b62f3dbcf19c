import { companyApi } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import type { Department } from '@waybill/contract/department'
import type { State } from '@waybill/contract/kit/fields'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { useTitles } from '../../kit/list/reference/references.ts'

const FIELDS = [
  'abbreviation',
  'companyId',
  'countryId',
  'city',
  'phone',
  'email',
  'isNeutral',
  'showsCarrier',
  'demandedInsuranceCents',
  'createdAt',
  'state',
] as const

/** What a field is called. */
export function useDepartmentLabels(): (path: string) => string {
  const { t } = useTranslation('department')
  return (path) => {
    const name = FIELDS.find((one) => path === one)
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

/** A department's values in words, for conflicts and the history. The ids are those of both sides of a conflict. */
export function useDepartmentWords(
  department: Pick<Department, 'company' | 'country'> | null,
  companyIds: readonly number[] = [],
  countryIds: readonly number[] = [],
): (path: string, value: unknown) => string {
  const words = useValueWords()
  const companies = useTitles(companyApi, companyIds, [department?.company])
  const countries = useTitles(countryApi, countryIds, [department?.country])
  return (path, value) => {
    const titles = path === 'companyId' ? companies : path === 'countryId' ? countries : null
    return (typeof value === 'number' ? titles?.get(value) : undefined) ?? words(path, value)
  }
}

/** What is asked before one is deactivated or activated. */
export function useDepartmentStateQuestion(): (department: Department, next: State) => StateQuestion {
  const { t } = useTranslation('department')
  return ({ abbreviation: title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
