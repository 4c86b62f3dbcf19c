import type { Country } from '@waybill/contract/country'
import type { State } from '@waybill/contract/kit/fields'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'

const FIELDS = ['title', 'code', 'isEu', 'standardVatBp', 'timeZone', 'state'] as const

/** What a field is called. */
export function useCountryLabels(): (path: string) => string {
  const { t } = useTranslation('country')
  return (path) => {
    const name = FIELDS.find((one) => path === one)
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

/** A country's values in words, for conflicts and the history. */
export function useCountryWords(): (path: string, value: unknown) => string {
  const format = useFormat()
  const words = useValueWords()
  return (path, value) =>
    path === 'standardVatBp' && typeof value === 'number' ? format.percent(value) : words(path, value)
}

/** What is asked before one is deactivated or activated. */
export function useCountryStateQuestion(): (country: Country, next: State) => StateQuestion {
  const { t } = useTranslation('country')
  return ({ title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
