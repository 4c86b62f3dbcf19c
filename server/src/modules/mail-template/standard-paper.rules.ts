import type { PaperType } from '@waybill/contract/email/paper-key'
import type { Language } from '@waybill/contract/errors'
import { filled, textsOf } from '../../kit/texts/texts.ts'

const TRANSPORT_ORDER = textsOf('transport-order')
const INVOICE = textsOf('invoice-document')
const REMINDER = textsOf('reminder-letter')
const CERTIFICATE = textsOf('certificate')

/** The conditions of a transport order, as the product words them. */
export function standardConditions(language: Language): string[] {
  const { law, orderNumber, transshipment, delays, loading, papers, wages } = TRANSPORT_ORDER[language].standard
  return [law, orderNumber, transshipment, delays, loading, papers, wages]
}

/** What a document says without a text of the department's, as the editor shows it: what `replace` takes away. */
export function standardPaper(type: PaperType, language: Language): string[] {
  if (type === 'ORDER_RESOLVED_DOCUMENT') return standardConditions(language)
  if (type === 'ORDER_ARRIVAL_CERTIFICATE') return [CERTIFICATE[language].arrival.hint]
  if (type === 'ORDER_EXPORT_CERTIFICATE') return [CERTIFICATE[language].export.hint]
  if (type === 'PAYMENT_REMINDER') {
    const { intro, outro } = REMINDER[language]
    return [...Object.values(intro).map((words) => filled(words, { date: '…' })), outro]
  }
  const { payBy, payTo } = INVOICE[language]
  return [filled(payBy, { date: '…' }), payTo]
}
