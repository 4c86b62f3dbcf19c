import type { generateOrderPaper, OrderPaper } from '@waybill/contract/document'
import type { ContentMode } from '@waybill/contract/kit/content-modes'
import type { Language } from '@waybill/contract/errors'
import { consignmentsOf, drivenRoutes, missingForPaper } from '@waybill/contract/order/consignment'
import type { Order } from '@waybill/contract/order/order'
import { isCertificate } from '@waybill/contract/order/papers/certificate'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { readNumber } from '@waybill/contract/kit/number-text'
import { useKept } from '../../../kit/form/state/use-kept-typing.ts'
import { useFieldErrorText } from '../../../kit/i18n/error-text.ts'
import { useCertificate } from './use-certificate.ts'

type Body = z.input<typeof generateOrderPaper.body>

export const CARRIAGE = ['paid', 'forward'] as const

// Amounts as they are typed; null languages are chosen by the server.
const BLANK = {
  paper: 'CMR_NOTE' as OrderPaper,
  routeId: null as number | null,
  pair: null as string | null,
  first: null as Language | null,
  second: null as Language | null,
  mode: 'standard' as ContentMode,
  content: '',
  carriageIs: null as (typeof CARRIAGE)[number] | null,
  attachedDocuments: '',
  instructions: '',
  cashOnDelivery: '',
  declaredValue: '',
  agreements: '',
}

export const pairKey = ({ pickUpId, dropOffId }: { pickUpId: number; dropOffId: number }): string =>
  `${pickUpId} ${dropOffId}`

/** What paper of an order is to be made, as the person chooses and types it. */
export function usePaper(order: Order) {
  const { i18n } = useTranslation()
  const fieldErrorText = useFieldErrorText()
  const routes = drivenRoutes(order.routes)
  // Amounts stand as this language writes them.
  const kept = useKept(`orders/papers/${i18n.language}`, order.id, { ...BLANK, routeId: routes[0]?.id ?? null })
  const typed = kept.values
  const { paper, routeId, mode, content } = typed

  const route = routes.find(({ id }) => id === routeId) ?? null
  const asked = useCertificate(order, isCertificate(paper) ? paper : 'ORDER_ARRIVAL_CERTIFICATE')
  const certificate = isCertificate(paper) ? asked : null
  const missing = isCertificate(paper) ? asked.missing : missingForPaper(paper, order, route)
  const isNote = paper === 'CMR_NOTE'
  const pairs = isNote && route !== null ? consignmentsOf(order, route) : []
  const chosen = pairs.find((one) => pairKey(one) === typed.pair)
  const cents = (text: string) => {
    const amount = readNumber(text, i18n.language as Language)
    return amount === null ? null : Math.round(amount * 100)
  }
  const wrongAmount = (text: string) =>
    Number.isNaN(cents(text)) || (cents(text) ?? 0) < 0 ? fieldErrorText('invalid_value') : undefined
  const isContentMissing = paper === 'ORDER_RESOLVED_DOCUMENT' && mode !== 'standard' && content.trim() === ''
  return {
    typed,
    set: kept.change,
    /** The paper is made, or is not wanted: what was typed is kept no longer. */
    forget: async () => {
      await kept.forget()
      await asked.forget()
    },
    hasMore:
      typed.carriageIs !== null ||
      [typed.attachedDocuments, typed.instructions, typed.cashOnDelivery, typed.declaredValue, typed.agreements].some(
        (text) => text !== '',
      ),
    routes,
    /** The stops between which a consignment goes */
    pairs,
    isNote,
    /** What a certificate says; null of another paper */
    certificate,
    /** Why the paper cannot be made of the order as it is; null where it can */
    missing,
    wrongAmount,
    isWrong:
      missing !== null ||
      isContentMissing ||
      certificate?.isWrong === true ||
      (isNote && (wrongAmount(typed.cashOnDelivery) !== undefined || wrongAmount(typed.declaredValue) !== undefined)),
    body: (): Body =>
      certificate?.body() ?? {
        documentType: paper,
        routeId,
        language: typed.first,
        ...(isNote
          ? {
              secondLanguage: typed.second,
              ...(chosen === undefined ? {} : { pickUpId: chosen.pickUpId, dropOffId: chosen.dropOffId }),
              consignment: {
                attachedDocuments: typed.attachedDocuments,
                instructions: typed.instructions,
                agreements: typed.agreements,
                carriageIs: typed.carriageIs,
                cashOnDeliveryCents: cents(typed.cashOnDelivery),
                declaredValueCents: cents(typed.declaredValue),
              },
            }
          : { contentMode: mode, content: mode === 'standard' ? null : content }),
      },
  }
}
export type Paper = ReturnType<typeof usePaper>
