import type { EInvoiceFormat } from '@waybill/contract/e-invoice/e-invoice'
import { element, icon } from '../shell/element.ts'
import type { Words } from './upload-words.ts'
import { textOf } from './fill-details.ts'
import type { ReadField, ToldInvoice, Typed } from './kept.ts'

const FORMATS: Readonly<Record<EInvoiceFormat, string>> = {
  ubl: 'XRechnung, UBL',
  cii: 'XRechnung, CII',
  zugferd: 'ZUGFeRD',
  ksef: 'KSeF',
}

interface Settings {
  words: Words
  nameOf: (field: ReadField) => string
  onTake: (fields: readonly ReadField[]) => void
  onKeep: (fields: readonly ReadField[]) => void
  /** where the questions go once they are answered */
  company: string
}

/** What an electronic invoice has filled, what of it differs from what is typed, and what is odd about it. */
export function readView({ words, nameOf, onTake, onKeep, company }: Settings) {
  const { t, format } = words
  const root = element('div', { class: 'told', 'aria-live': 'polite', hidden: true })
  let drawn = ''

  const row = (field: ReadField, typed: Typed, { read }: ToldInvoice) => {
    const shown = (text: string) => shownText(text, field, read.currency)
    const [name, said] = [nameOf(field), shown(textOf(read, field, words))]
    const button = (label: string, about: string, onclick: () => void) =>
      element('button', { type: 'button', class: 'btn small', 'aria-label': `${label}: ${about}`, onclick }, label)
    return element(
      'li',
      {},
      element('b', {}, name),
      element('span', {}, t('youTyped', { value: shown(typed[field]) })),
      element('span', {}, t('invoiceSays', { value: said })),
      element(
        'div',
        { class: 'answers' },
        button(t('takeIt'), name, () => onTake([field])),
        button(t('keepMine'), name, () => onKeep([field])),
      ),
    )
  }

  function shownText(text: string, field: ReadField, currency: string): string {
    if ((field === 'documentCreationDate' || field === 'dueDate') && text !== '') return format.date(text)
    if (field === 'vat') return `${text}\u00A0%`
    return field === 'amount' || field === 'total' ? `${text}\u00A0${currency === 'EUR' ? '€' : currency}` : text
  }

  return {
    root,
    /** Draws what is told; the same again stays as it stands, so that nobody loses a button under the finger. */
    update(told: ToldInvoice | null, typed: Typed, questions: readonly ReadField[]): void {
      const now = JSON.stringify([told, questions, questions.map((field) => typed[field])])
      if (now === drawn) return
      const hadFocus = root.contains(document.activeElement)
      drawn = now
      root.hidden = told === null
      if (told === null) return root.replaceChildren()
      const { read, filled } = told
      const named = filled.map(nameOf)
      const isFilled = named.length > 0
      const said = isFilled ? t('filledFrom', { fields: format.list(named) }) : t('readSame')
      root.replaceChildren(
        ...(isFilled || questions.length === 0
          ? [
              element(
                'p',
                { class: 'hint well' },
                icon('check'),
                element('span', {}, element('b', {}, t('isEInvoice', { format: FORMATS[read.format] })), ' ', said),
              ),
            ]
          : []),
        ...(read.currency === 'EUR'
          ? []
          : [element('p', { class: 'hint' }, icon('look'), t('otherCurrency', { currency: read.currency }))]),
        ...(read.otherBuyer === null
          ? []
          : [element('p', { class: 'hint' }, icon('look'), t('otherBuyer', { buyer: read.otherBuyer, company }))]),
        ...(questions.length === 0
          ? []
          : [
              element(
                'div',
                { class: 'hint asked', role: 'group', 'aria-label': t('differs'), tabindex: '-1' },
                element('b', {}, t('differs')),
                element('ul', {}, ...questions.map((field) => row(field, typed, told))),
                questions.length > 1 &&
                  element(
                    'div',
                    { class: 'answers' },
                    element('button', { type: 'button', class: 'btn', onclick: () => onTake(questions) }, t('takeAll')),
                    element('button', { type: 'button', class: 'btn', onclick: () => onKeep(questions) }, t('keepAll')),
                  ),
              ),
            ]),
      )
      // The button that was pressed is gone: the next question takes its place.
      if (hadFocus)
        (root.querySelector<HTMLElement>('.asked button') ?? root.querySelector<HTMLElement>('.well'))?.focus()
    },
    focus: () => root.querySelector<HTMLElement>('.asked')?.focus(),
  }
}
