import type { Language } from '@waybill/contract/errors'
import { formatVatNumber } from '@waybill/contract/kit/vat-number'
import type { PdfError, PdfRenderer } from '../../kit/pdf/pdf.ts'
import type { PdfAttachment } from '../../kit/pdf/typesetting.ts'
import { textsOf } from '../../kit/texts/texts.ts'
import { groupIban, town } from './document-words.ts'

/** Who writes: one of our companies. */
export interface Writer {
  title: string
  address: string | null
  postal: string | null
  city: string | null
  email: string | null
  phone: string | null
  /** PNG */
  logo?: Uint8Array | null
}

/** What every letter of ours begins with. */
export const letterheadOf = (us: Writer) => ({
  // The template takes bytes as numbers.
  seller: { title: us.title, logo: us.logo ? [...us.logo] : null },
  letterhead: [us.address, town(us), us.phone, us.email],
  sender: [us.title, us.address, town(us)].filter(Boolean).join(' · '),
})

const TEXTS = textsOf('letter')

/** What every letter of ours about money or goods ends with: who and where, how to reach us, where to pay to. */
export function footerOf(
  us: Writer & { country: string | null; vatNumber: string | null },
  account: { bankName: string | null; iban: string | null; bic: string | null } | null,
  language: Language,
) {
  const labels = TEXTS[language]
  return [
    [us.title, us.address, town(us), us.country],
    [
      us.phone && `${labels.phone} ${us.phone}`,
      us.email && `${labels.email} ${us.email}`,
      us.vatNumber && `${labels.vatNumber} ${formatVatNumber(us.vatNumber)}`,
    ],
    account === null
      ? []
      : [account.bankName, account.iban && `IBAN ${groupIban(account.iban)}`, account.bic && `BIC ${account.bic}`],
  ]
}

/**
 * A letter as PDF/A-3b. Rejects with a PdfError. `pdf` must have been created with this module's `templates` folder.
 */
export async function renderLetter<Page extends ReturnType<typeof letterheadOf> & { reference: string }>(
  pdf: PdfRenderer,
  template: string,
  page: Page,
  language: Language,
  {
    createdAt,
    attachments = [],
    pictures = [],
  }: { createdAt?: Date | undefined; attachments?: PdfAttachment[]; pictures?: readonly Uint8Array[] } = {},
): Promise<Buffer> {
  const render = (data: Page) =>
    pdf.renderPdf({
      template,
      data,
      language,
      title: page.reference,
      attachments,
      pictures,
      ...(createdAt && { createdAt }),
    })
  try {
    return await render(page)
  } catch (error) {
    // A picture that cannot be drawn must stop neither a bill nor a transport.
    if (page.seller.logo === null || (error as PdfError).kind !== 'template') throw error
    return render({ ...page, seller: { ...page.seller, logo: null } })
  }
}

/** An address as a QR code, in SVG. */
export async function qrPicture(url: string): Promise<string> {
  const { default: qrCode } = await import('qrcode')
  return qrCode.toString(url, { type: 'svg', margin: 0, errorCorrectionLevel: 'M' })
}
