import { isIban } from '@waybill/contract/kit/bank/iban'
import type { UploadHint, UploadPage } from '@waybill/contract/public/upload-link'
import { element, icon } from '../shell/element.ts'
import type { Words } from './upload-words.ts'
import type { Typed } from './kept.ts'
import { compactIban, figuresOf, hintsOf, type DetailFault } from './read-details.ts'

/** Where each fault of the server is shown. */
const FIELDS: Readonly<Record<string, keyof Typed>> = { amountCents: 'amount', vatBp: 'vat', totalCents: 'total' }

/** The field of a fault as the server names it; null where the form has none. */
export const fieldOf = (path: string, typed: Typed): keyof Typed | null =>
  FIELDS[path] ?? (path in typed ? (path as keyof Typed) : null)

interface FieldLook {
  label: string
  isRequired?: boolean
  unit?: string
  isHalf?: boolean
  attributes?: Record<string, string>
}

interface Settings {
  page: UploadPage
  words: Words
  typed: Typed
  onType: (typed: Typed) => void
  /** a field was left: what it says is complete */
  onLeave: () => void
}

/** The seven details of the invoice, with what is said about them while they are typed. */
export function detailsView({ page, words, typed, onType, onLeave }: Settings) {
  const { t, format } = words
  const inputs = new Map<keyof Typed, HTMLInputElement>()
  const errors = new Map<keyof Typed, HTMLElement>()
  const boxes = new Map<keyof Typed, HTMLElement>()
  const amounts: HTMLElement[] = []
  let currency = 'EUR'
  const hintsBelow = element('div', { class: 'field below' })
  // Worked out until somebody types another one.
  let isTotalOwn = typed.total !== '' && figuresOf(typed, words).totalCents !== figuresOf(typed, words).sumCents

  const field = (name: keyof Typed, { label, isRequired = true, unit, isHalf, attributes = {} }: FieldLook) => {
    const [error, hint] = [
      element('p', { class: 'error', id: `${name}-error` }),
      element('div', { id: `${name}-hint`, 'aria-live': 'polite' }),
    ]
    if (isHalf && unit) hintsBelow.append(hint)
    const input = element('input', {
      id: name,
      name,
      type: 'text',
      autocomplete: 'off',
      'aria-required': isRequired ? 'true' : null,
      'aria-describedby': `${name}-error ${name}-hint`,
      ...attributes,
      oninput: () => {
        typed[name] = input.value
        if (name === 'total') isTotalOwn = input.value.trim() !== ''
        if ((name === 'amount' || name === 'vat') && !isTotalOwn) showSum()
        setFault(name, null)
        onType(typed)
        showHints()
      },
    })
    input.value = typed[name]
    inputs.set(name, input)
    errors.set(name, error)
    const unitBeside = unit ? element('span', {}, unit) : null
    if (unitBeside && unit === '€') amounts.push(unitBeside)
    const box = element('div', { class: unit ? 'in figure' : 'in' }, input, unitBeside)
    boxes.set(name, box)
    return element(
      'div',
      { class: isHalf ? 'field half' : 'field' },
      element('label', { for: name, class: isRequired ? 'must' : '' }, label),
      box,
      error,
      // Beside each other the fields of figures are too narrow for a sentence.
      isHalf && unit ? null : hint,
    )
  }

  const decimal = { inputmode: 'decimal' }
  const reason = field('differenceReason', { label: t('reason'), attributes: { maxlength: '1000' } })
  const same = element('p', { class: 'same' }, icon('check'), t('sameAmount'))
  const root = element(
    'div',
    { class: 'fields' },
    field('invoiceNumber', { label: t('invoiceNumber'), attributes: { maxlength: '100' } }),
    field('documentCreationDate', { label: t('documentDate'), isHalf: true, attributes: { type: 'date' } }),
    field('dueDate', { label: t('dueDate'), isRequired: false, isHalf: true, attributes: { type: 'date' } }),
    field('amount', { label: t('net'), unit: '€', isHalf: true, attributes: decimal }),
    field('vat', { label: t('vat'), unit: '%', isHalf: true, attributes: decimal }),
    hintsBelow,
    field('total', { label: t('total'), unit: '€', attributes: decimal }),
    same,
    reason,
    field('iban', {
      label: 'IBAN',
      attributes: { maxlength: '50', spellcheck: 'false', autocapitalize: 'characters' },
    }),
  )
  root
    .querySelector('#dueDate-hint')!
    .replaceChildren(element('p', { class: 'note' }, t('dueDateNote', { days: page.paymentPeriodDays })))

  function inCurrency(amountCents: number): string {
    return currency === 'EUR' ? format.euro(amountCents) : `${format.money(amountCents)}\u00A0${currency}`
  }

  function showSum(): void {
    const { sumCents } = figuresOf(typed, words)
    typed.total = sumCents === null ? '' : format.money(sumCents)
    inputs.get('total')!.value = typed.total
    setFault('total', null)
  }

  function setFault(name: keyof Typed, message: string | null): void {
    errors.get(name)!.textContent = message ?? ''
    boxes.get(name)!.classList.toggle('wrong', message !== null)
    if (message === null) inputs.get(name)!.removeAttribute('aria-invalid')
    else inputs.get(name)!.setAttribute('aria-invalid', 'true')
  }

  const accounts = page.knownAccounts
  const TEXTS: Readonly<Record<UploadHint, () => [keyof Typed, string]>> = {
    amount_differs: () => {
      // Nobody takes one currency from another.
      if (currency !== 'EUR') {
        const amount = format.euro(page.agreed?.netCents ?? 0)
        return ['amount', page.agreed?.invoicedCents ? t('leftOn', { amount }) : t('agreedOn', { amount })]
      }
      const by = (figuresOf(typed, words).amountCents ?? 0) - (page.agreed?.netCents ?? 0)
      const euro = format.euro(Math.abs(by))
      return ['amount', by > 0 ? t('moreThanAgreed', { amount: euro }) : t('lessThanAgreed', { amount: euro })]
    },
    total_does_not_fit: () => [
      'total',
      t('totalDoesNotFit', { amount: inCurrency(figuresOf(typed, words).sumCents ?? 0) }),
    ],
    vat_unusual: () => [
      'vat',
      page.expectedVatBp === 0 ? t('noVatExpected') : t('vatExpected', { rate: format.percent(page.expectedVatBp) }),
    ],
    iban_unknown: () => [
      'iban',
      accounts.length === 0
        ? t('firstAccount')
        : t('otherAccount', { ends: format.list(accounts.map((ending) => `… ${ending}`)) }),
    ],
  }

  /** Says what differs from what we expect; it hinders nothing. */
  function showHints(): void {
    const hints = hintsOf(typed, words, page)
    const said = new Map(hints.map((hint) => TEXTS[hint]()))
    for (const name of ['amount', 'vat', 'total', 'iban'] as const) {
      const place = root.querySelector(`#${name}-hint`)!
      const text = said.get(name) ?? ''
      boxes.get(name)!.classList.toggle('odd', text !== '')
      if (place.textContent === text) continue
      place.replaceChildren(
        ...(text === '' ? [] : [element('p', { class: 'hint' }, icon(name === 'iban' ? 'lock' : 'look'), text)]),
      )
    }
    const { amountCents } = figuresOf(typed, words)
    same.hidden = page.agreed === null || currency !== 'EUR' || amountCents !== page.agreed.netCents
    reason.hidden = !hints.includes('amount_differs')
  }

  const write = (name: 'amount' | 'vat' | 'total', value: number | null) => {
    if (value === null) return
    typed[name] = name === 'vat' ? format.number(value / 100, 0, 2) : format.money(value)
    inputs.get(name)!.value = typed[name]
  }
  for (const name of ['amount', 'vat', 'total'] as const)
    inputs.get(name)!.addEventListener('blur', () => {
      const { amountCents, vatBp, totalCents } = figuresOf(typed, words)
      write(name, { amount: amountCents, vat: vatBp, total: totalCents }[name])
    })
  // Told on leaving the field, not while it is half typed.
  inputs.get('iban')!.addEventListener('blur', () => {
    const iban = compactIban(typed.iban)
    if (iban === '') return
    if (!isIban(iban)) return setFault('iban', t('ibanWrong'))
    typed.iban = iban.replace(/(.{4})(?=.)/g, '$1 ')
    inputs.get('iban')!.value = typed.iban
  })
  root.addEventListener('focusout', onLeave)
  showHints()

  return {
    root,
    /** What the amounts are in: euros, unless the electronic invoice says otherwise. */
    setCurrency(next: string): void {
      if (next === currency) return
      currency = next
      for (const unit of amounts) unit.textContent = next === 'EUR' ? '€' : next
      showHints()
    },
    /** Puts values into the fields as though they were typed. */
    fill(values: Typed): void {
      for (const [name, input] of inputs) {
        if (input.value === values[name]) continue
        input.value = values[name]
        setFault(name, null)
      }
      Object.assign(typed, values)
      const { totalCents, sumCents } = figuresOf(typed, words)
      isTotalOwn = typed.total !== '' && totalCents !== sumCents
      showHints()
    },
    /** Shows faults beside their fields. */
    showFaults(faults: readonly DetailFault[]): void {
      for (const name of inputs.keys()) setFault(name, faults.find((fault) => fault.field === name)?.message ?? null)
    },
    nameOf: (name: keyof Typed): string => root.querySelector(`label[for="${name}"]`)!.textContent!.replace(/\?$/, ''),
    focus: (name: keyof Typed): void => inputs.get(name)!.focus(),
  }
}
