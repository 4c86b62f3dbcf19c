import type { generateOrderPaper } from '@waybill/contract/document'
import type { Language } from '@waybill/contract/errors'
import { localOf } from '@waybill/contract/kit/local-time'
import type { Order } from '@waybill/contract/order/order'
import {
  arrivalAt,
  certifiedOf,
  consigneeOf,
  missingForCertificate,
  usualCertified,
  type Certificate,
} from '@waybill/contract/order/papers/certificate'
import type { z } from 'zod'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { readDay } from '../../../kit/i18n/day-text.ts'
import { localToday } from '../../../kit/list/filter/filters.ts'

type Body = z.input<typeof generateOrderPaper.body>

const MONTHS_BACK = 12

// What stays empty is proposed by the order; the day is kept as it is typed.
const BLANK = {
  dropOffId: null as number | null,
  language: null as Language | null,
  buyer: '',
  buyerAddress: '',
  supplier: '',
  supplierAddress: '',
  vehicleNumbers: '',
  month: null as string | null,
  mrn: '',
  exportedOn: '',
  exportPlace: '',
  together: [] as { orderId: number; dropOffId: number }[],
}

/** This month and those before it, `2026-11` first. */
function monthsBefore(month: string): string[] {
  const [year, number] = month.split('-').map(Number) as [number, number]
  return Array.from({ length: MONTHS_BACK }, (_, back) =>
    new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

const firm = (title: string, address: string) => (title.trim() === '' ? null : { title, address })

/** What a certificate of an order is to say, as the person chooses and types it. */
export function useCertificate(order: Order, paper: Certificate) {
  const kept = useKept('orders/certificate', order.id, BLANK)
  const typed = kept.values
  const all = certifiedOf(paper, order)
  const meant = all.find(({ dropOff }) => dropOff.id === typed.dropOffId) ?? usualCertified(paper, order)
  const consignee = meant === null ? null : consigneeOf(meant)
  const sender = meant?.pickUps.find(({ companyTitle }) => companyTitle !== null)
  const customs = order.locations.findLast(({ kind, canceledAt }) => kind === 'customs' && canceledAt === null)
  const dayOf = (stop: Order['locations'][number] | undefined): string | null => {
    const at = stop === undefined ? null : arrivalAt(stop)
    return stop === undefined || at === null ? null : localOf(at, stop.timeZone).date
  }
  const arrivedIn = dayOf(meant?.dropOff)?.slice(0, 7) ?? null
  const today = localToday()
  const exportedOn = typed.exportedOn.trim() === '' ? null : readDay(typed.exportedOn, today)
  const exitPlace = [customs?.companyTitle, customs?.city].filter(Boolean).join(', ')
  const isExport = meant?.kind === 'export'
  const isDayUnread = typed.exportedOn.trim() !== '' && exportedOn === null
  const isBuyerMissing = typed.buyer.trim() === '' && consignee === null
  const missing = missingForCertificate(paper, order, meant?.dropOff.id ?? null)
  return {
    typed,
    set: kept.change,
    forget: kept.forget,
    all,
    meant,
    missing,
    isExport,
    isDayUnread,
    isBuyerMissing,
    months: monthsBefore(today.slice(0, 7)),
    /** what the order proposes where nothing is typed */
    proposed: {
      buyer: consignee?.companyTitle ?? null,
      supplier: sender?.companyTitle ?? order.customers[0]?.title ?? null,
      month: arrivedIn,
      exportPlace: exitPlace,
      exportedOn: dayOf(customs),
    },
    isWrong:
      missing !== null ||
      isBuyerMissing ||
      (isExport &&
        (isDayUnread ||
          (exportedOn === null && dayOf(customs) === null) ||
          (typed.exportPlace.trim() === '' && exitPlace === ''))),
    body: (): Body => ({
      documentType: paper,
      dropOffId: meant?.dropOff.id ?? null,
      language: typed.language,
      certificate: {
        buyer: firm(typed.buyer, typed.buyerAddress),
        supplier: firm(typed.supplier, typed.supplierAddress),
        vehicleNumbers: typed.vehicleNumbers,
        month: isExport ? null : typed.month,
        mrn: !isExport || typed.mrn.trim() === '' ? null : typed.mrn,
        exportedOn: isExport ? exportedOn : null,
        exportPlace: isExport ? typed.exportPlace : null,
        together: meant?.kind === 'arrival' ? typed.together : [],
      },
    }),
  }
}
export type CertificateForm = ReturnType<typeof useCertificate>
