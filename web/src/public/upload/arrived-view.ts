import type { ProblemKind } from '@waybill/contract/invoice/checking'
import type { UploadPage } from '@waybill/contract/public/upload-link'
import { element, icon } from '../shell/element.ts'
import type { Words } from './upload-words.ts'
import { sizeText } from '../shell/parts.ts'

interface Settings {
  page: UploadPage
  words: Words
  /** just sent, not found so on a later visit */
  isJustSent: boolean
  onMore: () => void
}

/** What has arrived, what happens next and when it is paid. */
export function arrivedView({ page, words, isJustSent, onMore }: Settings): HTMLElement {
  const { t, format } = words
  const { invoice, state, needs } = page
  const notes = invoice?.setOffAgainst ?? null
  const problem = state === 'open' ? invoice?.problem : null
  const files = page.files.filter(({ isDraft }) => !isDraft)
  const sentAt = files
    .map(({ submittedAt }) => submittedAt ?? '')
    .toSorted()
    .at(-1)
  const heading = () => {
    if (state === 'paid') return t(notes === null ? 'paidHeading' : 'setOffHeading')
    if (state === 'approved') return t('approvedHeading')
    if (isJustSent) return needs.length === 0 ? t('doneHeading') : t('doneInPart')
    if (problem) return t('asideHeading', { number: invoice!.number })
    return t('againHeading')
  }
  const next = () => {
    if (state === 'paid' && invoice?.paidAt) {
      const day = format.day(invoice.paidAt)
      if (notes === null) return t('paidOn', { day })
      return t(notes.length === 1 ? 'setOffOn' : 'setOffOnSeveral', { day, numbers: notes.join(', ') })
    }
    if (state === 'paid') return t('paidText')
    if (problem)
      return problem.kind === null
        ? t('asideText', { number: invoice!.number })
        : t(`${problem.kind as ProblemKind}_aside`)
    if (invoice?.dueDate) {
      const day = format.date(invoice.dueDate)
      if (state === 'approved') return t('approvedPayBy', { day })
      return t(invoice.isDueExpected ? 'checkAndPayExpected' : 'checkAndPayBy', { day })
    }
    if (state === 'approved') return t('approvedText')
    return t('checkAndPay', { days: page.paymentPeriodDays })
  }
  const standing = ({ kind, acceptance }: UploadPage['files'][number]) => {
    if (kind === 'invoice') {
      // What was sent belongs to an invoice that we have canceled since.
      if (invoice === null && state === 'open') return t('canceled')
      if (problem) return t('aside')
      return invoice?.isChecked ? t('checked') : t('beingChecked')
    }
    if (acceptance === 'accepted') return t('accepted')
    return acceptance === 'refused' ? t('refused') : t('beingChecked')
  }
  const rows = files.map((file) =>
    element(
      'li',
      { class: file.acceptance === 'refused' ? 'refused' : '' },
      icon('file'),
      element(
        'span',
        { class: 'grow' },
        element('span', { class: 'name' }, file.title),
        element('span', { class: 'said' }, `${sizeText(file.sizeBytes, words)} · ${standing(file)}`),
        file.refusalReason ? element('span', { class: 'said why' }, file.refusalReason) : null,
      ),
    ),
  )
  const mark = () => {
    if (problem && !isJustSent) return 'look'
    return isJustSent || state !== 'open' ? 'check' : 'file'
  }
  const title = element('h2', { tabindex: '-1' }, heading())
  return element(
    'section',
    { class: 'card arrived', 'aria-label': t('arrived') },
    element('span', { class: { look: 'round odd', check: 'round ok', file: 'round' }[mark()] }, icon(mark())),
    title,
    sentAt ? element('p', { class: 'dim' }, t('sentOn', { time: format.dateTime(sentAt) })) : null,
    element('p', {}, next()),
    problem && problem.kind !== null ? element('p', {}, t('asideAnswer')) : null,
    ...(state === 'open'
      ? needs.map((kind) =>
          element('p', { class: 'hint' }, icon('look'), t(kind === 'pod' ? 'podMissing' : 'invoiceMissing')),
        )
      : []),
    element(
      'ul',
      { class: 'came' },
      ...rows,
      invoice &&
        element(
          'li',
          {},
          element('span', { class: 'euro', 'aria-hidden': 'true' }, '€'),
          element('span', { class: 'grow name' }, t('invoiceNumberIs', { number: invoice.number })),
          element(
            'b',
            { class: 'sum' },
            invoice.currency === 'EUR'
              ? format.euro(invoice.totalCents)
              : `${format.money(invoice.totalCents)}\u00A0${invoice.currency}`,
          ),
        ),
    ),
    state === 'open' && element('button', { type: 'button', class: 'btn', onclick: onMore }, t('more')),
  )
}
