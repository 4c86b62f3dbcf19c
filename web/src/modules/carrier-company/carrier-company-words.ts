import type { CarrierCompany } from '@waybill/contract/carrier-company'
import { countryApi } from '@waybill/contract/country'
import type { Language } from '@waybill/contract/errors'
import { DOCUMENT_TYPES } from '@waybill/contract/document'
import type { State } from '@waybill/contract/kit/fields'
import { vehicleTypeApi } from '@waybill/contract/type-list'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { useTitles } from '../../kit/list/reference/references.ts'

const FIELDS = [
  'title',
  'vatNumber',
  'language',
  'timocomId',
  'transId',
  'website',
  'address',
  'postal',
  'city',
  'countryId',
  'paymentPeriodDays',
  'creditorNumber',
  'notes',
  'warnings',
  'blockedReason',
  'isOnceOnly',
  'licenceNotNeededReason',
  'vehicleTypeIds',
  'state',
  'documentType',
  'expiredAt',
  'insuredCents',
] as const
const LISTS = ['contactPersons', 'bankAccounts', 'drivers'] as const
const PARTS = [
  'fullName',
  'position',
  'phone',
  'email',
  'plateNumber',
  'bankName',
  'iban',
  'bic',
  'confirmedById',
  'enteredById',
  'title',
  'address',
  'postal',
  'city',
  'countryId',
  'emails',
] as const

/** What a field is called, with the part of the form it stands in: `Driver 2: Phone`. */
export function useCarrierLabels(): (path: string) => string {
  const { t } = useTranslation('carrier-company')
  return (path) => {
    const [first, ...rest] = path.split('.') as [string, ...string[]]
    const field = FIELDS.find((one) => one === first)
    if (field !== undefined) return t(`fields.${field}`)
    const part = PARTS.find((one) => rest.includes(one))
    const list = LISTS.find((one) => one === first)
    const place = Number(rest[0])
    const whole =
      list !== undefined
        ? Number.isInteger(place) && rest[0] !== undefined
          ? t(`line.${list}`, { line: place + 1 })
          : t(`sections.${list}`)
        : first === 'representative'
          ? t('sections.representative')
          : first === 'billingAddress'
            ? t('sections.billingAddress')
            : t('one')
    return part === undefined ? whole : `${whole}: ${t(`fields.${part}`)}`
  }
}

/** Fields that follow from others. */
export const isDerivedCarrierField = (path: string): boolean =>
  /^(createdAt|billingCountry)\b|\.(enteredBy|enteredAt|confirmedAt|source|typedBy)/.test(path)

/** A carrier's values in words, for conflicts and the history. The ids are those of both sides of a conflict. */
export function useCarrierWords(
  carrier: CarrierCompany | null,
  countryIds: readonly number[] = [],
): (path: string, value: unknown) => string {
  const { t } = useTranslation(['carrier-company', 'document'])
  const words = useValueWords()
  const format = useFormat()
  const countries = useTitles(countryApi, countryIds, [carrier?.country, carrier?.billingCountry])
  const vehicles = useTitles(vehicleTypeApi, [], carrier?.vehicleTypes)
  return (path, value) => {
    if (path === 'language' && typeof value === 'string') return LANGUAGE_NAMES[value as Language] ?? value
    // A number that counts nothing.
    if (path === 'creditorNumber' && typeof value === 'number') return String(value)
    if (path === 'expiredAt' && typeof value === 'string') return format.date(value)
    const type = path === 'documentType' ? DOCUMENT_TYPES.find((one) => one === value) : undefined
    if (type !== undefined) return t(`document:types.${type}`)
    if (path.endsWith('countryId') && typeof value === 'number') return countries.get(value) ?? format.number(value)
    if (Array.isArray(value))
      return value.map((one) => (typeof one === 'number' ? (vehicles.get(one) ?? String(one)) : String(one))).join(', ')
    // A line as a whole: what is written in it.
    if (typeof value === 'object' && value !== null)
      return Object.entries(value)
        .flatMap(([key, cell]) => (typeof cell === 'string' && key !== 'key' ? [cell] : []))
        .join(', ')
    return words(path, value)
  }
}

/** What is asked before one is deactivated or activated. */
export function useCarrierStateQuestion(): (carrier: Pick<CarrierCompany, 'title'>, next: State) => StateQuestion {
  const { t } = useTranslation('carrier-company')
  return ({ title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
