import { countryApi } from '@waybill/contract/country'
import { EMAIL_PREFERENCES, PAYMENT_OPTIONS, type Customer } from '@waybill/contract/customer'
import type { Language } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import { CUSTOMER_FORMATS } from '@waybill/contract/e-invoice/format'
import { salutationApi } from '@waybill/contract/salutation'
import { userApi } from '@waybill/contract/user'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { useTitles } from '../../kit/list/reference/references.ts'
import { useSchemeName } from '../partner/electronic-address-section.tsx'

const FIELDS = [
  'alias',
  'title',
  'vatNumber',
  'language',
  'responsibleUserId',
  'address',
  'postal',
  'city',
  'countryId',
  'billingAddress',
  'specialInstructions',
  'warnings',
  'paymentOption',
  'paymentPeriodDays',
  'skonto',
  'chargeableKgPerM3',
  'chargeableKgPerLdm',
  'buyerReference',
  'eInvoiceFormat',
  'eInvoiceAddress',
  'eInvoiceScheme',
  'creditNotes',
  'invoiceEmail',
  'podsInPdf',
  'emissionsOnInvoices',
  'isForwarder',
  'isConsumer',
  'needsOrderNumber',
  'remindersOff',
  'creditLimitCents',
  'creditLiftedUntil',
  'writtenOffCents',
  'debtorNumber',
  'contactPersons',
  'pickupLocations',
  'vatCheck',
  'state',
] as const
const CONTACT_FIELDS = [
  'salutationId',
  'fullName',
  'academicTitle',
  'lastName',
  'phone',
  'mobile',
  'email',
  'position',
  'language',
] as const
const PLACE_FIELDS = [
  'companyTitle',
  'address',
  'postal',
  'city',
  'countryId',
  'latitude',
  'longitude',
  'contactPerson',
  'phone',
  'comment',
] as const
const BILLING_FIELDS = ['title', 'address', 'postal', 'city', 'countryId'] as const

/** What a field of a customer is called, with the place of a contact person or pickup location. */
export function useCustomerLabels(): (path: string) => string {
  const { t } = useTranslation('customer')
  const format = useFormat()
  return (path) => {
    const [first, second, third] = path.split('.')
    const place = /^\d+$/.test(second ?? '') ? ` ${format.number(Number(second) + 1)}` : ''
    const inner = place === '' ? second : third
    const contact = CONTACT_FIELDS.find((one) => one === inner)
    if (first === 'contactPersons' && contact !== undefined)
      return `${t('onePerson')}${place}: ${t(`person.${contact}`)}`
    const field = PLACE_FIELDS.find((one) => one === inner)
    if (first === 'pickupLocations' && field !== undefined) return `${t('onePlace')}${place}: ${t(`place.${field}`)}`
    if (first === 'contactPersons' && place !== '') return `${t('onePerson')}${place}`
    if (first === 'pickupLocations' && place !== '') return `${t('onePlace')}${place}`
    const preference = first === 'emailPreferences' ? EMAIL_PREFERENCES.find((one) => one === second) : undefined
    if (preference !== undefined) return `${t('sections.emails')}: ${t(`emailPreferences.${preference}`)}`
    const billing = first === 'billingAddress' ? BILLING_FIELDS.find((one) => one === second) : undefined
    if (billing !== undefined)
      return `${t('fields.billingAddress')}: ${t(billing === 'title' ? 'billingTitle' : `fields.${billing}`)}`
    const name = FIELDS.find((one) => one === first)
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

const DERIVED = /^(vatNumberShape|isVatCheckable|creator|vatCheck\.(name|address|checkedAt))/

/** Fields that follow from others. */
export const isDerivedCustomerField = (path: string): boolean => DERIVED.test(path)

/** Records that a conflict names by id. */
interface ClashingIds {
  countries: readonly number[]
  users: readonly number[]
  salutations: readonly number[]
}

/** A customer's values in words, for conflicts and the history. */
export function useCustomerWords(
  customer: Customer | null,
  clashing: ClashingIds,
): (path: string, value: unknown) => string {
  const { t } = useTranslation(['customer', 'form', 'e-invoice-out'])
  const schemeName = useSchemeName()
  const words = useValueWords()
  const countries = useTitles(countryApi, clashing.countries, [customer?.country])
  const users = useTitles(userApi, clashing.users, [customer?.responsibleUser, customer?.creator])
  const salutations = useTitles(salutationApi, clashing.salutations)
  return (path, value) => {
    const option = path === 'paymentOption' ? PAYMENT_OPTIONS.find((one) => one === value) : undefined
    if (option !== undefined) return t(`paymentOption.${option}`)
    const wanted = path === 'eInvoiceFormat' ? CUSTOMER_FORMATS.find((one) => one === value) : undefined
    if (wanted !== undefined) return t(`e-invoice-out:format.${wanted}`)
    // A number that counts nothing.
    if (path === 'debtorNumber' && typeof value === 'number') return String(value)
    if (path === 'eInvoiceScheme' && typeof value === 'string') return schemeName(value)
    if (path.endsWith('language') && typeof value === 'string') return LANGUAGE_NAMES[value as Language] ?? value
    const titles = path.endsWith('ountryId')
      ? countries
      : path === 'responsibleUserId'
        ? users
        : path.endsWith('salutationId')
          ? salutations
          : undefined
    const title = typeof value === 'number' ? titles?.get(value) : undefined
    if (title !== undefined) return title
    if (path.startsWith('vatCheck'))
      return value === null ? t('form:nothing') : t(isConfirmed(value) ? 'vatCheck.valid' : 'vatCheck.invalid')
    if (typeof value === 'object' && value !== null) return summaryOf(value as Record<string, unknown>)
    return words(path, value)
  }
}

const isConfirmed = (value: unknown): boolean =>
  value === true || (typeof value === 'object' && value !== null && (value as { isValid?: unknown }).isValid === true)

// A person by name, an address in its line.
const summaryOf = ({ fullName, title, companyTitle, address, postal, city }: Record<string, unknown>): string =>
  [fullName ?? companyTitle ?? title, address, [postal, city].filter(Boolean).join(' ')]
    .filter((part) => typeof part === 'string' && part !== '')
    .join(', ')

/** What is asked before one is deactivated or activated. */
export function useCustomerStateQuestion(): (customer: Pick<Customer, 'title'>, next: State) => StateQuestion {
  const { t } = useTranslation('customer')
  return ({ title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
