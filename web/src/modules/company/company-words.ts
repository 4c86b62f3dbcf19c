import type { Company } from '@waybill/contract/company'
import { countryApi } from '@waybill/contract/country'
import type { Language } from '@waybill/contract/errors'
import type { State } from '@waybill/contract/kit/fields'
import type { ReminderLevels } from '@waybill/contract/reminder/terms'
import { useTranslation } from 'react-i18next'
import type { StateQuestion } from '../../kit/form/page/state-change.tsx'
import { useValueWords } from '../../kit/form/fields/value-words.ts'
import { useFormat } from '../../kit/i18n/i18n.ts'
import { LANGUAGE_NAMES } from '../../kit/i18n/languages.ts'
import { useTitles } from '../../kit/list/reference/references.ts'
import { groupedIban } from './company-values.ts'

const FIELDS = [
  'title',
  'code',
  'vatNumber',
  'taxNumber',
  'eInvoiceAddress',
  'eInvoiceScheme',
  'register',
  'address',
  'postal',
  'city',
  'countryId',
  'phone',
  'email',
  'language',
  'timeZone',
  'invoiceNumberPattern',
  'marginWarningBp',
  'amountToleranceCents',
  'fourEyesRuns',
  'umlautsInPayments',
  'ksefMode',
  'ksefCertificate',
  'reminderLevels',
  'bankAccounts',
  'state',
] as const
const LEVEL_FIELDS = ['afterDays', 'payDays', 'hasFee', 'hasInterest'] as const
const CONTACT_FIELDS = ['fullName', 'phone', 'email'] as const
const BANK_FIELDS = ['bankName', 'iban', 'bic', 'enteredById', 'confirmedById'] as const

const BOOKKEEPING_FIELDS = [
  'consultantNumber',
  'clientNumber',
  'fiscalYearMonth',
  'accountLength',
  'chart',
  'bankAccount',
  'clearingAccount',
  'feeAccount',
  'interestAccount',
  'accounts',
] as const
const VAT_ACCOUNT_FIELDS = [
  'side',
  'vatCategory',
  'vatBp',
  'account',
  'taxKey',
  'skontoAccount',
  'creditAccount',
] as const

/** What a field of a company's bookkeeping is called. */
function useBookkeepingLabels(): (parts: readonly string[]) => string {
  const { t } = useTranslation('company-bookkeeping')
  return ([part, place, field]) => {
    const name = BOOKKEEPING_FIELDS.find((one) => one === part)
    const inner = VAT_ACCOUNT_FIELDS.find((one) => one === field)
    const words = [
      t('title'),
      ...(name === undefined
        ? []
        : [place === undefined ? t(`fields.${name}`) : `${t(`fields.${name}`)} ${Number(place) + 1}`]),
      ...(inner === undefined ? [] : [t(`fields.${inner}`)]),
    ]
    return words.join(', ')
  }
}

/** What a field of a company is called. */
export function useCompanyLabels(): (path: string) => string {
  const { t } = useTranslation('company')
  const bookkeepingLabel = useBookkeepingLabels()
  return (path) => {
    const [top, part, field] = path.split('.')
    if (top === 'bookkeeping') return bookkeepingLabel(path.split('.').slice(1))
    if (top === 'eInvoiceContact') {
      const name = CONTACT_FIELDS.find((one) => one === part)
      return name === undefined ? t('sections.eInvoice') : `${t('sections.eInvoice')}, ${t(`contactFields.${name}`)}`
    }
    if (top === 'bankAccounts' && part !== undefined) {
      const name = BANK_FIELDS.find((one) => one === (field ?? part))
      const account = /^\d+$/.test(part) ? t('account', { number: Number(part) + 1 }) : t('fields.bankAccounts')
      return name === undefined ? account : `${account}, ${t(`bankFields.${name}`)}`
    }
    if (top === 'reminderLevels' && part !== undefined) {
      const named = LEVEL_FIELDS.find((one) => one === field)
      const level = t('reminders.level', { level: Number(part) + 1 })
      return named === undefined ? level : `${level}, ${t(`reminders.${named}`)}`
    }
    const name = FIELDS.find((one) => one === top)
    return name === undefined ? t('one') : t(`fields.${name}`)
  }
}

/** Told by an entry of its own. */
export const isDerivedCompanyField = (path: string): boolean =>
  path === 'hasLogo' || /\.(enteredAt|confirmedAt)$/.test(path)

/** Values of a company's bookkeeping in words: numbers of accounts count nothing; lists are told by their length. */
function useBookkeepingWords(): (path: string, value: unknown) => string {
  const { t } = useTranslation('company-bookkeeping')
  const words = useValueWords()
  const format = useFormat()
  return (path, value) => {
    if (Array.isArray(value)) return t('accountCount', { count: value.length })
    if (typeof value === 'object' && value !== null) return t('use')
    if (typeof value !== 'number') return words(path, value)
    return path.endsWith('.vatBp') ? format.percent(value) : String(value)
  }
}

/** A company's values in words, for conflicts and the history. `countryIds`: of both sides of a conflict. */
export function useCompanyWords(
  company: Pick<Company, 'country'> | null,
  countryIds: readonly number[] = [],
): (path: string, value: unknown) => string {
  const format = useFormat()
  const words = useValueWords()
  const countries = useTitles(countryApi, countryIds, [company?.country])
  const { t } = useTranslation('company')
  const bookkeepingWords = useBookkeepingWords()
  return (path, value) => {
    if (path === 'language') return LANGUAGE_NAMES[value as Language] ?? words(path, value)
    if (path === 'umlautsInPayments') return t(`umlauts.${value as Company['umlautsInPayments']}`)
    if (path === 'ksefMode') return t(`ksefModes.${value as Company['ksefMode']}`)
    if (path === 'reminderLevels' && Array.isArray(value))
      return (value as ReminderLevels)
        .map(({ afterDays: days }, index) => t('reminders.said', { level: index + 1, days }))
        .join(', ')
    if (path.startsWith('bookkeeping')) return bookkeepingWords(path, value)
    if (path.endsWith('.iban') && typeof value === 'string') return groupedIban(value.replaceAll(' ', ''))
    // A whole account, that came or went.
    if (path.startsWith('bankAccounts') && typeof value === 'object' && value !== null && 'iban' in value)
      return groupedIban(String(value.iban))
    if (path === 'eInvoiceContact' && typeof value === 'object' && value !== null)
      return Object.values(value).filter(Boolean).join(', ')
    if (typeof value !== 'number') return words(path, value)
    if (path === 'amountToleranceCents') return format.euro(value)
    return path === 'marginWarningBp'
      ? format.percent(value)
      : ((path === 'countryId' ? countries.get(value) : undefined) ?? words(path, value))
  }
}

/** What is asked before one is deactivated or activated. */
export function useCompanyStateQuestion(): (company: Company, next: State) => StateQuestion {
  const { t } = useTranslation('company')
  return ({ title }, next) => ({
    title: t(`change.${next}.title`),
    text: t(`change.${next}.text`, { title }),
    confirm: t(`change.${next}.confirm`),
    refused: t('notChanged'),
  })
}
