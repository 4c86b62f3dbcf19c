import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { PAPER_ADDRESS } from '@waybill/contract/kit/expiry'
import { getPaperPage, sendPaper, type PaperPage } from '@waybill/contract/public/paper-page'
import { ApiError } from '../../kit/api/api-error.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import { drawCompany, footView } from '../shell/company.ts'
import { element, icon } from '../shell/element.ts'
import { keptTyping } from '../shell/kept-typing.ts'
import { obstacleOf, obstacleView, type Obstacle } from '../shell/obstacle.ts'
import { drawLanguages, focusLanguages, showIn, sizeText } from '../shell/parts.ts'
import { keepLanguage, languageFor } from '../shell/words.ts'
import { squeeze } from '../upload/squeeze.ts'
import { wordsOf, type Words } from './words.ts'

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '').slice(PAPER_ADDRESS.length)
const place = document.getElementById('page')!
const live = document.getElementById('live')!

let words: Words = wordsOf(languageFor(null))
let page: PaperPage | null = null
/** why there is none */
let obstacle: Obstacle | null = null
let isJustSent = false
let isFirst = true
const typed = { expiredAt: '', sum: '' }
const kept = keptTyping('paper', token, typed)

/** Keeps what is typed until it is sent; the file is chosen anew. */
const keep = () => void kept.then(({ write }) => write({ language: words.language, typed: { ...typed } }))
/** chosen, not sent yet: a change of language keeps it */
let chosen: File | null = null

type Field = 'file' | 'expiredAt' | 'sum'

/** Another language: what is typed stays the same sum. */
function speak(language: Language): void {
  const cents = centsOf(typed.sum)
  words = wordsOf(language)
  keepLanguage(language)
  if (cents !== null) typed.sum = words.format.money(cents)
  keep()
  draw()
  focusLanguages()
}

const MOST_CENTS = 100_000_000_000

/** The sum as it is typed in a language, that of the page, in cents; null for nothing, and for what is no amount. */
function centsOf(text: string, language = words.language): number | null {
  const euros = readNumber(text, language)
  if (euros === null || Number.isNaN(euros)) return null
  const cents = Math.round(euros * 100)
  return cents > 0 && cents <= MOST_CENTS ? cents : null
}

// ---------------------------------------------------------------- views

function draw(): void {
  drawCompany(page?.company ?? null, words.t('pageTitle'))
  drawLanguages(words, speak)
  place.removeAttribute('aria-busy')
  if (page === null) {
    showIn(place, ...(obstacle === null ? [] : [obstacleView(obstacle, words, () => void load())]))
    return
  }
  const { t } = words
  showIn(
    place,
    element(
      'main',
      { class: 'page' },
      element(
        'div',
        { class: 'top' },
        element('p', { class: 'dim' }, t('forCarrier', { carrier: page.carrier })),
        element('h1', { tabindex: '-1' }, t('heading', { document: t(page.documentType) })),
        element('p', { class: 'dim' }, standingText(page)),
      ),
      isJustSent && thanksView(),
      page.files.length > 0 && cameView(page),
      formView(page),
    ),
    footView(page.company, page.contact, words),
  )
}

function standingText({ endsOn }: PaperPage): string {
  const { t, format } = words
  if (endsOn === null) return t('none')
  const isOver = endsOn < new Date().toISOString().slice(0, 10)
  return t(isOver ? 'ended' : 'endsOn', { day: format.date(endsOn) })
}

function thanksView(): HTMLElement {
  const { t } = words
  return element(
    'section',
    { class: 'card arrived' },
    element('span', { class: 'round ok' }, icon('check')),
    element('h2', { tabindex: '-1', id: 'told' }, t('arrived')),
    element('p', {}, t('arrivedText')),
  )
}

/** What has come, and what became of it. */
function cameView({ files }: PaperPage): HTMLElement {
  const { t, format } = words
  return element(
    'section',
    { class: 'card came', 'aria-label': t('sent') },
    element('h2', {}, t('sent')),
    element(
      'ul',
      {},
      ...files.map(({ title, sizeBytes, createdAt, expiredAt, acceptance, refusalReason }) =>
        element(
          'li',
          {},
          element('b', {}, title),
          element('span', { class: 'dim' }, `${format.dateTime(createdAt)}, ${sizeText(sizeBytes, words)}`),
          expiredAt !== null && element('span', {}, t('until', { day: format.date(expiredAt) })),
          element(
            'span',
            {},
            acceptance === 'refused' ? t('refusedWhy', { reason: refusalReason ?? '' }) : t(acceptance),
          ),
        ),
      ),
    ),
  )
}

function formView({ documentType }: PaperPage): HTMLElement {
  const { t } = words
  const isInsured = documentType === 'INSURANCE_DOCUMENT'
  const errors = new Map<Field, HTMLElement>()
  const field = (name: Field, label: string, input: HTMLInputElement, note = '') => {
    const error = element('p', { class: 'error', id: `${name}-error` })
    errors.set(name, error)
    input.id = name
    input.setAttribute('aria-required', 'true')
    input.setAttribute('aria-describedby', error.id)
    input.addEventListener('input', () => {
      error.textContent = ''
    })
    return element(
      'div',
      { class: `field ${name}` },
      element('label', { for: name, class: 'must' }, label),
      element('div', { class: 'in' }, input, name === 'sum' && element('span', { 'aria-hidden': 'true' }, '€')),
      note !== '' && element('small', {}, note),
      error,
    )
  }
  const file = element('input', {
    type: 'file',
    accept: 'application/pdf,image/*',
    onchange: (event) => {
      chosen = (event.target as HTMLInputElement).files?.[0] ?? null
    },
  })
  const day = element('input', {
    type: 'date',
    value: typed.expiredAt,
    oninput: (event) => {
      typed.expiredAt = (event.target as HTMLInputElement).value
      keep()
    },
  })
  const sum = element('input', {
    type: 'text',
    inputmode: 'decimal',
    autocomplete: 'off',
    value: typed.sum,
    oninput: (event) => {
      typed.sum = (event.target as HTMLInputElement).value
      keep()
    },
  })
  if (chosen !== null) {
    const kept = new DataTransfer()
    kept.items.add(chosen)
    file.files = kept.files
  }
  const notice = element('p', { class: 'error', role: 'alert' })
  const send = element('button', { type: 'submit', class: 'btn main' }, t('send'))
  const busy = (isBusy: boolean) => {
    send.disabled = isBusy
    send.textContent = t(isBusy ? 'sending' : 'send')
  }
  /** Says what is wrong beside its field, and goes to the first. */
  const showFaults = (faults: readonly (readonly [Field, string])[]) => {
    for (const [name, text] of faults) errors.get(name)!.textContent = text
    if (faults[0]) document.getElementById(faults[0][0])?.focus()
  }

  async function tell(): Promise<void> {
    const cents = isInsured ? centsOf(typed.sum) : null
    const faults: [Field, string][] = []
    if (chosen === null) faults.push(['file', t('fileMissing')])
    if (typed.expiredAt === '') faults.push(['expiredAt', t('dayMissing')])
    if (isInsured && cents === null) faults.push(['sum', t(typed.sum.trim() === '' ? 'sumMissing' : 'noSum')])
    notice.textContent = ''
    showFaults(faults)
    if (chosen === null || faults.length > 0) return
    busy(true)
    const form = new FormData()
    form.append('expiredAt', typed.expiredAt)
    if (cents !== null) form.append('insuredCents', String(cents))
    form.append('file', await squeeze(chosen))
    try {
      page = await callPublic(sendPaper, words.language, { params: { token }, form })
      chosen = null
      Object.assign(typed, { expiredAt: '', sum: '' })
      ;(await kept).forget()
      isJustSent = true
      draw()
      document.getElementById('told')?.focus()
      live.textContent = t('arrived')
    } catch (failure) {
      busy(false)
      if (failure instanceof ApiError && failure.status === 404) return load()
      if (passes(failure)) notice.textContent = t(failure.status === 429 ? 'slowed' : 'offline')
      else refuse(failure)
    }
  }

  function refuse(failure: unknown): void {
    if (!(failure instanceof ApiError)) throw failure
    const faults = failure.errors.map(({ path, message }): [Field, string] => [
      path === 'insuredCents' ? 'sum' : path === 'expiredAt' ? 'expiredAt' : 'file',
      message,
    ])
    const shown = faults.filter(([name]) => errors.has(name))
    if (shown.length === 0) notice.textContent = failure.detail === '' ? t('notSent') : failure.detail
    showFaults(shown)
  }

  return element(
    'form',
    {
      class: 'paper',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        void tell()
      },
    },
    element(
      'section',
      { class: 'card fields', 'aria-label': t(documentType) },
      field('file', t('file'), file, t('fileNote')),
      field('expiredAt', t('validUntil'), day),
      isInsured && field('sum', t('insuredSum'), sum),
    ),
    notice,
    send,
  )
}

// ---------------------------------------------------------------- loading

/** What was typed here before and not sent. */
async function restore(): Promise<void> {
  const before = (await kept).read()
  if (before === null) return
  Object.assign(typed, before.typed)
  const cents = centsOf(typed.sum, before.language)
  if (cents !== null) typed.sum = words.format.money(cents)
}

async function load(): Promise<void> {
  place.setAttribute('aria-busy', 'true')
  try {
    page = await callPublic(getPaperPage, words.language, { params: { token } })
    words = wordsOf(languageFor(page.language))
    if (isFirst) await restore()
    isFirst = false
  } catch (failure) {
    page = null
    obstacle = await obstacleOf(failure, words.language)
  }
  draw()
}

void load()
