import type { Subscriptions } from '../kit/context/context.ts'
import {
  dropInvoiceMail,
  fillInvoiceMail,
  forgetMails,
  planMails,
  planPodMails,
  queueAccountMail,
  queueAddressMail,
  queueInvoiceMail,
  queuePaperMail,
  queuePasskeyMail,
  queuePriceRefusal,
  queuePriceRequest,
  queueProblemMail,
  queueObjection,
  queueQuoteAnswer,
  queueReminderMail,
  queueWebhookMails,
  refuseUndoOfTold,
  releaseInvoiceMail,
} from '../modules/correspondence/index.ts'
import { noteLinkMakers, noteTypedOnInvoice } from '../modules/carrier-company/index.ts'
import { moveDueDates, refreshInvoicesOfCustomer, scheduleDrawing } from '../modules/invoice/index.ts'
import { refreshOrdersOfCarrier, refreshOrdersOfCustomer, refreshOrdersOfDriver } from '../modules/order/index.ts'
import { followStops } from '../modules/load-carrier/index.ts'
import { bookMoved, setOffCorrection } from '../modules/payment/index.ts'
import { takeSetOffBack } from '../modules/payment-file/index.ts'
import { closeOvertaken } from '../modules/price-round/index.ts'
import { noteTrackingLinksSent } from '../modules/tracking-link/index.ts'
import { noteLinksSent } from '../modules/upload-link/index.ts'
import { endAccessOfChanged, endAccessWithoutTwoFactor } from '../modules/session/index.ts'
import {
  tellDocument,
  tellInvoiceCorrected,
  tellInvoiceMoved,
  tellInvoiceSent,
  tellOrderCreated,
  tellOrderDeleted,
  tellOrderMerged,
  tellOrderUnmerged,
  tellOrderUpdated,
  tellOrderWritten,
} from '../modules/webhook/index.ts'

/** Which event causes which reaction; reactions run inside the causing transaction and only write rows. */
export const subscriptions: Subscriptions = {
  'customer.changed': [refreshOrdersOfCustomer, refreshInvoicesOfCustomer],
  'carrierCompany.changed': [refreshOrdersOfCarrier],
  'order.created': [tellOrderCreated],
  'order.changed': [tellOrderUpdated],
  'order.merged': [tellOrderMerged],
  'order.unmerged': [tellOrderUnmerged],
  'order.written': [planMails, closeOvertaken, followStops, tellOrderWritten],
  'order.deleted': [forgetMails, tellOrderDeleted],
  'document.written': [planPodMails, moveDueDates, scheduleDrawing, tellDocument],
  'document.checkUndone': [refuseUndoOfTold],
  'invoice.created': [noteTypedOnInvoice],
  'invoice.ibanChanged': [noteTypedOnInvoice],
  'uploadLink.ibanSent': [noteLinkMakers],
  'invoice.sent': [queueInvoiceMail],
  'invoice.numbered': [fillInvoiceMail],
  'invoice.wentOut': [tellInvoiceSent],
  'invoice.corrected': [setOffCorrection, tellInvoiceCorrected],
  'invoice.moved': [bookMoved, takeSetOffBack, tellInvoiceMoved],
  'invoice.paperMade': [releaseInvoiceMail],
  'invoice.ksefRejected': [dropInvoiceMail],
  'invoice.problem': [queueProblemMail],
  'paper.asked': [queuePaperMail],
  'priceRound.asked': [queuePriceRequest],
  'priceRound.given': [queuePriceRefusal],
  'quote.answered': [queueQuoteAnswer],
  'loadCarriers.objected': [queueObjection],
  'reminder.sent': [queueReminderMail],
  'email.linksSent': [noteLinksSent, noteTrackingLinksSent],
  'account.linkMade': [queueAccountMail],
  'user.addressChanged': [queueAddressMail],
  'passkey.told': [queuePasskeyMail],
  'webhook.paused': [queueWebhookMails],
  'user.renamed': [refreshOrdersOfDriver],
  'user.accessChanged': [endAccessOfChanged],
  'role.twoFactorRequired': [endAccessWithoutTwoFactor],
}
