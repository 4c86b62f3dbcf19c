import { countryApi } from '@waybill/contract/country'
import type { State } from '@waybill/contract/kit/fields'
import { GENDERS, type Salutation } from '@waybill/contract/salutation'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { useTitles } from '../../kit/list/reference/references.ts'

const FIELDS = ['title', 'gender', 'countryId', 'state'] as const

/** What a field is called. */
export function useSalutationLabels(): (path: string) => string {
  const { t } = useTranslation('salutation')
  return (path) => {
    const name = FIELDS.find((one) => path === one)
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

/** A salutation's values in words, for conflicts and the history. `countryIds`: of both sides of a conflict. */
export function useSalutationWords(
  salutation: Pick<Salutation, 'country'> | null,
  countryIds: readonly number[] = [],
): (path: string, value: unknown) => string {
  const { t } = useTranslation('salutation')
  const words = useValueWords()
  const countries = useTitles(countryApi, countryIds, [salutation?.country])
  return (path, value) => {
    const gender = path === 'gender' ? GENDERS.find((one) => one === value) : undefined
    if (gender !== undefined) return t(`gender.${gender}`)
    return (path === 'countryId' && typeof value === 'number' ? countries.get(value) : undefined) ?? words(path, value)
  }
}

/** What is asked before one is deactivated or activated. */
export function useSalutationStateQuestion(): (salutation: Salutation, next: State) => StateQuestion {
  const { t } = useTranslation('salutation')
  return ({ title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
