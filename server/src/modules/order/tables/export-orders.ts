import type { Texts } from '@waybill/contract/errors'
import type { OrderRow } from '@waybill/contract/order/order'
import type { Deviation, Disposition, OrderStatus } from '@waybill/contract/order/status'
import { createdColumn, euros, moment, percent, stateColumn, text, type SheetOf } from '../../../kit/tables/sheet.ts'

const STATUSES: Readonly<Record<OrderStatus, Texts>> = {
  new: { en: 'New', de: 'Neu', pl: 'Nowe' },
  scheduled: { en: 'Scheduled', de: 'Disponiert', pl: 'Zaplanowane' },
  in_transit: { en: 'In transit', de: 'Unterwegs', pl: 'W trasie' },
  arrived: { en: 'Arrived', de: 'Angekommen', pl: 'Na miejscu' },
  delivered: { en: 'Delivered', de: 'Zugestellt', pl: 'Dostarczone' },
  completed: { en: 'Completed', de: 'Erledigt', pl: 'Zakończone' },
  canceled: { en: 'Canceled', de: 'Storniert', pl: 'Anulowane' },
  merged: { en: 'Merged', de: 'Gebündelt', pl: 'Połączone' },
}

const DISPOSITIONS: Readonly<Record<Disposition, Texts>> = {
  OWN_FLEET: { en: 'Own fleet', de: 'Eigener Fuhrpark', pl: 'Własny tabor' },
  FOR_SALE: { en: 'For sale', de: 'Fremdvergabe', pl: 'Do sprzedaży' },
  WAITING_FOR_COMBINATION: { en: 'Waiting for combination', de: 'Wartet auf Zuladung', pl: 'Czeka na doładunek' },
}

const DEVIATIONS: Readonly<Record<Deviation, Texts>> = {
  CUSTOMER_LEVEL_1: { en: 'Customer, level 1', de: 'Kunde, Stufe 1', pl: 'Klient, poziom 1' },
  CUSTOMER_LEVEL_2: { en: 'Customer, level 2', de: 'Kunde, Stufe 2', pl: 'Klient, poziom 2' },
  CUSTOMER_LEVEL_3: { en: 'Customer, level 3', de: 'Kunde, Stufe 3', pl: 'Klient, poziom 3' },
  CARRIER_LEVEL_1: { en: 'Carrier, level 1', de: 'Frachtführer, Stufe 1', pl: 'Przewoźnik, poziom 1' },
  CARRIER_LEVEL_2: { en: 'Carrier, level 2', de: 'Frachtführer, Stufe 2', pl: 'Przewoźnik, poziom 2' },
  CARRIER_LEVEL_3: { en: 'Carrier, level 3', de: 'Frachtführer, Stufe 3', pl: 'Przewoźnik, poziom 3' },
  DISPATCH_LEVEL_1: { en: 'Dispatch, level 1', de: 'Disposition, Stufe 1', pl: 'Spedycja, poziom 1' },
  DISPATCH_LEVEL_2: { en: 'Dispatch, level 2', de: 'Disposition, Stufe 2', pl: 'Spedycja, poziom 2' },
  DISPATCH_LEVEL_3: { en: 'Dispatch, level 3', de: 'Disposition, Stufe 3', pl: 'Spedycja, poziom 3' },
}

/** What is written of a delay: under a day its hours, then the started days (domain, Order status). */
const delayText = ({ delay }: OrderRow, say: (texts: Texts) => string): string | null => {
  if (delay === null) return null
  return delay.hours < 24 ? `${delay.hours} h` : `${delay.days} ${say({ en: 'd', de: 'T', pl: 'd' })}`
}

export const orderSheet: SheetOf<OrderRow> = {
  title: { en: 'Orders', de: 'Aufträge', pl: 'Zlecenia' },
  columns: [
    text({ en: 'Number', de: 'Nummer', pl: 'Numer' }, ({ number }) => number),
    text({ en: 'Status', de: 'Status', pl: 'Status' }, ({ status }, say) => say(STATUSES[status])),
    text({ en: 'Customer', de: 'Kunde', pl: 'Klient' }, ({ customer }) => customer?.title),
    text(
      { en: 'Customer order number', de: 'Auftragsnummer des Kunden', pl: 'Numer zlecenia klienta' },
      ({ customerOrderNumber }) => customerOrderNumber,
    ),
    text({ en: 'From country', de: 'Von Land', pl: 'Z kraju' }, ({ from }) => from?.countryCode),
    text({ en: 'From city', de: 'Von Ort', pl: 'Z miejscowości' }, ({ from }) => from?.city),
    text({ en: 'To country', de: 'Nach Land', pl: 'Do kraju' }, ({ to }) => to?.countryCode),
    text({ en: 'To city', de: 'Nach Ort', pl: 'Do miejscowości' }, ({ to }) => to?.city),
    moment(
      { en: 'First loading', de: 'Erste Beladung', pl: 'Pierwszy załadunek' },
      ({ firstLoadingAt }) => firstLoadingAt,
      ({ from }) => from?.timeZone,
    ),
    moment(
      { en: 'Last unloading', de: 'Letzte Entladung', pl: 'Ostatni rozładunek' },
      ({ lastUnloadingAt }) => lastUnloadingAt,
      ({ to }) => to?.timeZone,
    ),
    text({ en: 'Delay', de: 'Verzug', pl: 'Opóźnienie' }, delayText),
    text({ en: 'Department', de: 'Abteilung', pl: 'Dział' }, ({ department }) => department.title),
    text({ en: 'Case worker', de: 'Sachbearbeiter', pl: 'Prowadzący' }, ({ caseWorker }) => caseWorker?.title),
    text({ en: 'Disposition', de: 'Disposition', pl: 'Dyspozycja' }, ({ disposition }, say) =>
      disposition === null ? null : say(DISPOSITIONS[disposition]),
    ),
    text({ en: 'Deviations', de: 'Abweichungen', pl: 'Odchylenia' }, ({ deviations }, say) =>
      deviations.map((deviation) => say(DEVIATIONS[deviation])).join('; '),
    ),
    euros(
      { en: 'Customer price €', de: 'Kundenpreis €', pl: 'Cena dla klienta €' },
      ({ customerPriceCents }) => customerPriceCents,
    ),
    euros({ en: 'Margin €', de: 'Marge €', pl: 'Marża €' }, ({ incomeCents }) => incomeCents),
    percent({ en: 'Margin %', de: 'Marge %', pl: 'Marża %' }, ({ marginBp }) => marginBp),
    createdColumn,
    stateColumn,
  ],
}
