import type { Texts } from '@waybill/contract/errors'
import type { InvoiceRow } from '@waybill/contract/invoice/invoice'
import type { InvoiceSide, InvoiceStatus } from '@waybill/contract/invoice/status'
import { createdColumn, day, euros, moment, stateColumn, text, yesNo, type SheetOf } from '../../kit/tables/sheet.ts'

const SIDES: Readonly<Record<InvoiceSide, Texts>> = {
  customer: { en: 'To customer', de: 'An Kunden', pl: 'Dla klienta' },
  carrier: { en: 'From carrier', de: 'Vom Frachtführer', pl: 'Od przewoźnika' },
}

const STATUSES: Readonly<Record<InvoiceStatus, Texts>> = {
  created: { en: 'Created', de: 'Erstellt', pl: 'Utworzona' },
  sent: { en: 'Sent', de: 'Versendet', pl: 'Wysłana' },
  received: { en: 'Received', de: 'Eingegangen', pl: 'Otrzymana' },
  approved: { en: 'Approved', de: 'Freigegeben', pl: 'Zatwierdzona' },
  in_progress: { en: 'In progress', de: 'In Klärung', pl: 'Wyjaśniana' },
  paid: { en: 'Paid', de: 'Bezahlt', pl: 'Opłacona' },
  canceled: { en: 'Canceled', de: 'Storniert', pl: 'Anulowana' },
}

export const invoiceSheet: SheetOf<InvoiceRow> = {
  title: { en: 'Invoices', de: 'Rechnungen', pl: 'Faktury' },
  columns: [
    text({ en: 'Number', de: 'Nummer', pl: 'Numer' }, ({ number }) => number),
    text({ en: 'Inner number', de: 'Interne Nummer', pl: 'Numer wewnętrzny' }, ({ innerNumber }) => innerNumber),
    text({ en: 'Side', de: 'Seite', pl: 'Strona' }, ({ entityType }, say) => say(SIDES[entityType])),
    text(
      { en: 'Customer or carrier', de: 'Kunde oder Frachtführer', pl: 'Klient lub przewoźnik' },
      ({ billingCustomer, carrierCompany }) => (billingCustomer ?? carrierCompany)?.title,
    ),
    text({ en: 'Orders', de: 'Aufträge', pl: 'Zlecenia' }, ({ orders }) =>
      orders.map((order) => order.title).join(', '),
    ),
    text({ en: 'Status', de: 'Status', pl: 'Status' }, ({ status }, say) => say(STATUSES[status])),
    moment({ en: 'Status since', de: 'Status seit', pl: 'Status od' }, ({ statusDate }) => statusDate),
    day({ en: 'Invoice date', de: 'Rechnungsdatum', pl: 'Data faktury' }, ({ invoiceDate }) => invoiceDate),
    day({ en: 'Due', de: 'Fällig', pl: 'Termin płatności' }, ({ dueDate }) => dueDate),
    yesNo({ en: 'Overdue', de: 'Überfällig', pl: 'Po terminie' }, ({ isOverdue }) => isOverdue),
    euros({ en: 'Net €', de: 'Netto €', pl: 'Netto €' }, ({ amountCents }) => amountCents),
    euros({ en: 'Total €', de: 'Brutto €', pl: 'Brutto €' }, ({ totalCents }) => totalCents),
    createdColumn,
    stateColumn,
  ],
}
