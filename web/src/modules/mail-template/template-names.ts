import { EMAIL_RULES } from '@waybill/contract/email/email-rules'
import type { Template } from '@waybill/contract/email/template'
import type { Language } from '@waybill/contract/errors'
import { useTranslation } from 'react-i18next'

/** Which mail a text belongs to. */
export type MailIdentity = Pick<Template, 'type' | 'variant' | 'name'>

interface MailNames {
  /** `Driver information`, or the name that the department gave it */
  title: string
  /** `changed before loading`; null where a mail has one text alone */
  variant: string | null
  /** When it goes */
  when: string
  /** Whom it goes to */
  to: string
}

/** What a mail is called, when it goes and to whom, in the person's language. */
export function useMailNames(): (mail: MailIdentity) => MailNames {
  const { t } = useTranslation('mail-template')
  return ({ type, variant, name }) => {
    const { moment, receiver, variants } = EMAIL_RULES[type]
    const hasVariants = name === null && variant !== null && variants.length > 1
    return {
      title: name ?? t(`type.${type}`),
      variant: hasVariants ? t(`variant.${variant as 'first'}`) : null,
      when: hasVariants ? t(`variantWhen.${variant as 'first'}`) : t(`when.${moment}`),
      to:
        type === 'other_emails' && variant !== null && variant in TO_OTHERS
          ? t(`to.${TO_OTHERS[variant as keyof typeof TO_OTHERS]}`)
          : t(`to.${receiver}`),
    }
  }
}

// Of the other mails those that have a receiver of their own.
const TO_OTHERS = {
  pod_refused: 'disponent',
  invoice_problem: 'disponent',
  payment_reminder_1: 'billingCustomer',
  payment_reminder_2: 'billingCustomer',
  payment_reminder_3: 'billingCustomer',
  document_renewal: 'carrier',
  price_request: 'carrier',
} as const

/** Where the texts of a department's mails stand. */
export const templateListLink = (departmentId: number) => ({
  to: `/departments/${departmentId}/edit`,
  search: { tab: 'emails' } as never,
})

/** Where one text is written. */
export const templatePath = (departmentId: number, key: string): string => `/departments/${departmentId}/edit/${key}`

/** What is known of the texts of a department, for lists and for what makes them old. */
export const templatesKey = (departmentId: number) => ['departments', departmentId, 'email-templates'] as const

/** The two letters of a language where its name would be too long. */
export const shortLanguage = (language: Language): string => language.toUpperCase()
