import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { EmailPreference, PAYMENT_OPTIONS, VatCheck } from '@waybill/contract/customer'
import type { CustomerFormat } from '@waybill/contract/e-invoice/format'
import type { Language } from '@waybill/contract/errors'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import type { State } from '@waybill/contract/kit/fields'

interface PostalAddress {
  title: string | null
  address: string | null
  postal: string | null
  city: string | null
  countryId: number | null
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    customer: {
      id: Generated<number>
      version: Generated<number>
      alias: string | null
      title: string
      vatNumber: string | null
      language: Language | null
      responsibleUserId: number | null
      address: string | null
      postal: string | null
      city: string | null
      countryId: number
      billingAddress: JSONColumnType<PostalAddress> | null
      specialInstructions: string | null
      warnings: string | null
      emailPreferences: JSONColumnType<Record<EmailPreference, boolean>>
      paymentOption: (typeof PAYMENT_OPTIONS)[number]
      paymentPeriodDays: number
      skonto: Generated<JSONColumnType<Skonto>>
      chargeableKgPerM3: number
      chargeableKgPerLdm: number
      buyerReference: string | null
      eInvoiceFormat: Generated<CustomerFormat>
      eInvoiceAddress: string | null
      eInvoiceScheme: Generated<string | null>
      /** its corrections are credit notes without signs (381) */
      creditNotes: Generated<boolean>
      invoiceEmail: string | null
      podsInPdf: Generated<boolean>
      emissionsOnInvoices: Generated<boolean>
      isForwarder: Generated<boolean>
      isConsumer: Generated<boolean>
      needsOrderNumber: Generated<boolean>
      remindersOff: Generated<boolean>
      creditLimitCents: Generated<number | null>
      debtorNumber: Generated<number | null>
      vatCheck: Generated<JSONColumnType<VatCheck> | null>
      creatorId: number | null
      createdAt: string
      state: Generated<State>
      titleKey: GeneratedAlways<string>
      searchKey: GeneratedAlways<string>
    }
    contact_person: {
      id: Generated<number>
      customerId: number
      position: number
      salutationId: Generated<number | null>
      fullName: string
      lastName: Generated<string | null>
      academicTitle: Generated<string | null>
      phone: string | null
      mobile: string | null
      email: string | null
      jobTitle: string | null
      language: Language | null
    }
    pickup_location: {
      id: Generated<number>
      customerId: number
      position: number
      companyTitle: string
      address: string | null
      postal: string | null
      city: string | null
      countryId: number
      latitude: number | null
      longitude: number | null
      contactPerson: string | null
      phone: string | null
      comment: string | null
    }
  }
}
