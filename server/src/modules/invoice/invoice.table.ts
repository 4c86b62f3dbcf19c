import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Language } from '@waybill/contract/errors'
import type { DifferenceKind } from '@waybill/contract/invoice/check'
import type { ProblemKind, WaitsForWhom } from '@waybill/contract/invoice/checking'
import type { Invoice } from '@waybill/contract/invoice/invoice'
import type { InvoiceSide, InvoiceStatus } from '@waybill/contract/invoice/status'
import type { VatCategory } from '@waybill/contract/invoice/vat'
import type { Skonto } from '@waybill/contract/skonto/skonto'
import type { State } from '@waybill/contract/kit/fields'

interface Party {
  title: string
  address: string | null
  postal: string | null
  city: string | null
  /** of the address that the invoice shows */
  countryCode: string
  vatNumber: string | null
}

/** Our company as the invoice shows it, kept with it. */
export interface Seller extends Party {
  email: string | null
  phone: string | null
  iban: string | null
  bic: string | null
  bankName: string | null
}

/** Who is billed, as the invoice shows it, kept with it. */
export interface Buyer extends Party {
  /** where it is established: decides the VAT (domain, Invoices) */
  vatCountryCode: string
}

declare module '../../kit/database/db.ts' {
  interface Tables {
    invoice: {
      id: Generated<number>
      version: Generated<number>
      entityType: InvoiceSide
      number: string | null
      innerNumber: string
      status: InvoiceStatus
      statusDate: string
      state: Generated<State>
      companyId: number | null
      billingCustomerId: number | null
      carrierCompanyId: number | null
      routeId: number | null
      correctionOfId: number | null
      correctionReason: string | null
      amountCents: number
      vatBp: number | null
      vatCents: number
      totalCents: number
      /** of all its amounts, ISO 4217; other than EUR on carriers' invoices alone (decision 122) */
      currency: Generated<string>
      vatGroups: JSONColumnType<Invoice['vatGroups']>
      iban: string | null
      notes: string | null
      language: Language
      paymentPeriodDays: number | null
      invoiceDate: string | null
      documentCreationDate: string | null
      dueDate: string | null
      /** the due date follows from what was agreed, and moves with the proof of delivery (decision 077) */
      isDueAgreed: Generated<boolean>
      servicePeriodFrom: string | null
      servicePeriodTo: string | null
      seller: JSONColumnType<Seller> | null
      buyer: JSONColumnType<Buyer> | null
      /** of those alone that were sent before papers had rows of their own */
      documentId: number | null
      frozenAt: string | null
      creatorId: number | null
      createdAt: string
      /** when each status was last reached */
      createdStatusAt: string | null
      sentAt: string | null
      paidAt: string | null
      canceledAt: string | null
      receivedAt: string | null
      approvedAt: string | null
      inProgressAt: string | null
      searchKey: Generated<string>
      /** of a carrier's: what the difference to the agreed amount was for, why and by whom it was approved last */
      differenceKind: Generated<DifferenceKind | null>
      approvalReason: Generated<string | null>
      approvedById: Generated<number | null>
      /** days by which problems have put its payment off */
      stoppedDays: Generated<number>
    }
    /**
     * What is left to be paid of a customer's sent invoice; opened with its number, moved by the shares of payments
     * alone (decision 081).
     */
    receivable: {
      invoiceId: number
      companyId: number
      customerId: number
      invoiceDate: string
      dueDate: string | null
      totalCents: number
      paidCents: Generated<number>
      skontoCents: Generated<number>
      correctedCents: Generated<number>
      openCents: GeneratedAlways<number>
      /** agreed when it was sent */
      skonto: Generated<JSONColumnType<Skonto>>
      disputedAt: Generated<string | null>
      disputedById: Generated<number | null>
      disputeReason: Generated<string | null>
    }
    /** What was wrong with an invoice of a carrier; one at most is open. */
    invoice_problem: {
      id: Generated<number>
      invoiceId: number
      kind: ProblemKind
      /** stays inside */
      text: string
      waitsFor: WaitsForWhom
      stopsTerm: boolean
      isTold: boolean
      openedById: number | null
      openedAt: string
      closedAt: Generated<string | null>
    }
    /** What the paper of a sent invoice shows, fixed with its number, and the file once it is made (decision 047). */
    invoice_paper: {
      invoiceId: number
      printed: JSONColumnType<object>
      logoHash: string | null
      language: Language
      title: string
      documentId: Generated<number | null>
      madeAt: Generated<string | null>
      /** how often making it failed, and when last */
      tries: Generated<number>
      triedAt: Generated<string | null>
    }
    /** What was made of a sent invoice, by its hash: written with the paper and never again (decision 080). */
    invoice_artifact: {
      invoiceId: number
      kind: 'xml' | 'pdf'
      documentId: number
      sha256: string
      sizeBytes: number
      madeAt: string
    }
    /** Pictures on papers, by their SHA-256 in hex. */
    invoice_logo: { hash: string; png: Buffer }
    invoice_order: { invoiceId: number; orderId: number }
    /** What of a carrier's invoice is for which route; their sum is its net amount. */
    invoice_allocation: { invoiceId: number; position: number; routeId: number; netCents: number }
    invoice_line: {
      id: Generated<number>
      invoiceId: number
      position: number
      kind: 'freight' | 'extra'
      text: string
      quantity: number
      unitPriceCents: number
      netCents: number
      vatBp: number
      vatCategory: VatCategory
      orderId: number | null
      routeId: number | null
      billsFreight: Generated<boolean>
      /** the extra that it bills; once while `billsExtra` (decision 079) */
      extraId: Generated<number | null>
      billsExtra: Generated<boolean>
      /** of a correction: the line that it makes `correctedQuantity` × `correctedUnitPriceCents` (decision 084) */
      correctsLineId: Generated<number | null>
      correctedQuantity: Generated<number | null>
      correctedUnitPriceCents: Generated<number | null>
    }
  }
}
