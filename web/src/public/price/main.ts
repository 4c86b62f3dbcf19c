import type { Language } from '@waybill/contract/errors'
import { readNumber } from '@waybill/contract/kit/number-text'
import { answerPrice, declinePrice, getPricePage, type PricePage } from '@waybill/contract/public/price-page'
import { ApiError } from '../../kit/api/api-error.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import { drawCompany, footView } from '../shell/company.ts'
import { element, icon } from '../shell/element.ts'
import { keptTyping } from '../shell/kept-typing.ts'
import { obstacleOf, obstacleView, type Obstacle } from '../shell/obstacle.ts'
import { drawLanguages, focusLanguages, showIn } from '../shell/parts.ts'
import { keepLanguage, languageFor } from '../shell/words.ts'
import { transportView, laneOf } from './transport-view.ts'
import { wordsOf, type Words } from './words.ts'

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const place = document.getElementById('page')!
const live = document.getElementById('live')!

let words: Words = wordsOf(languageFor(null))
let page: PricePage | null = null
/** why there is none */
let obstacle: Obstacle | null = null
/** the answer is there, and somebody wants to give another one */
let isChanging = false
let isFirst = true
const typed = { price: '', holdsUntil: '', remark: '' }
const kept = keptTyping('price', token, typed)

/** Keeps what is typed until it is sent. */
const keep = () => void kept.then(({ write }) => write({ language: words.language, typed: { ...typed } }))

const say = (text: string) => {
  live.textContent = text
}

/** Another language: what is typed stays the same price, and titles of vehicles and units are asked for anew. */
async function speak(language: Language): Promise<void> {
  const cents = centsOf(typed.price)
  words = wordsOf(language)
  keepLanguage(language)
  if (cents !== null) typed.price = words.format.money(cents)
  if ((await kept).read() !== null) keep()
  draw()
  focusLanguages()
  if (page !== null) await load()
  focusLanguages()
}

// ---------------------------------------------------------------- views

function draw(): void {
  drawCompany(page?.company ?? null, words.t('pageTitle'))
  drawLanguages(words, (language) => void speak(language))
  place.removeAttribute('aria-busy')
  if (page === null) {
    showIn(place, ...(obstacle === null ? [] : [obstacleView(obstacle, words, () => void load())]))
    return
  }
  const { t, format } = words
  const isAnswered = page.answer !== null && !isChanging
  showIn(
    place,
    element(
      'main',
      { class: 'page' },
      element(
        'div',
        { class: 'top' },
        element('p', { class: 'dim' }, t('forCarrier', { carrier: page.carrier })),
        element('h1', { tabindex: '-1' }, t('heading', { lane: laneOf(page) })),
        page.state === 'open' &&
          element('p', { class: 'dim' }, t('until', { when: format.dateTime(page.deadline, page.timeZone) })),
      ),
      transportView(page, words),
      page.state !== 'open' ? closedView(page.state) : isAnswered ? answeredView(page.answer!) : formView(),
    ),
    footView(page.company, page.contact, words),
  )
}

function closedView(state: Exclude<PricePage['state'], 'open'>): HTMLElement {
  const { t, format } = words
  const price = page!.answer?.priceCents ?? null
  return element(
    'section',
    { class: 'card arrived' },
    element('span', { class: state === 'yours' ? 'round ok' : 'round' }, icon(state === 'yours' ? 'check' : 'lock')),
    element('h2', {}, t(`${state}Heading`)),
    element('p', {}, t(`${state}Text`)),
    price !== null && element('p', { class: 'dim' }, `${t('yourPrice')}: ${format.euro(price)}`),
  )
}

function answeredView({ priceCents, holdsUntil }: NonNullable<PricePage['answer']>): HTMLElement {
  const { t, format } = words
  const isPrice = priceCents !== null
  const holds = holdsUntil === null ? '' : `, ${t('holds', { day: format.date(holdsUntil) })}`
  return element(
    'section',
    { class: 'card arrived' },
    element('span', { class: 'round ok' }, icon('check')),
    element('h2', { tabindex: '-1', id: 'told' }, t(isPrice ? 'thanks' : 'declined')),
    element('p', { class: 'sum' }, isPrice ? `${format.euro(priceCents)}${holds}` : t('declinedText')),
    isPrice && element('p', { class: 'dim' }, t('weAnswer')),
    element(
      'button',
      {
        type: 'button',
        class: 'btn',
        onclick: () => {
          isChanging = true
          fillForm()
          draw()
          document.getElementById('price')?.focus()
        },
      },
      t('change'),
    ),
  )
}

/** The form as the last answer says it. */
function fillForm(): void {
  const { priceCents, holdsUntil, remark } = page!.answer!
  typed.price = priceCents === null ? '' : words.format.money(priceCents)
  typed.holdsUntil = holdsUntil ?? ''
  typed.remark = remark ?? ''
}

const MOST_CENTS = 100_000_000

/** The price as it is typed in a language, that of the page, in cents; null for nothing, and for what is no price. */
function centsOf(text: string, language = words.language): number | null {
  const euros = readNumber(text, language)
  if (euros === null || Number.isNaN(euros)) return null
  const cents = Math.round(euros * 100)
  return cents > 0 && cents <= MOST_CENTS ? cents : null
}

function formView(): HTMLElement {
  const { t } = words
  const error = element('p', { class: 'error', id: 'price-error' })
  const notice = element('p', { class: 'error', role: 'alert' })
  const field = (name: keyof typeof typed, label: string, attributes: Record<string, string>, note = '') =>
    element(
      'div',
      { class: `field ${name}` },
      element('label', { for: name, class: note === '' ? 'must' : '' }, label, ' ', element('small', {}, note)),
      element(
        'div',
        { class: 'in' },
        element('input', {
          id: name,
          name,
          autocomplete: 'off',
          value: typed[name],
          oninput: (event) => {
            typed[name] = (event.target as HTMLInputElement).value
            error.textContent = ''
            keep()
          },
          ...attributes,
        }),
        name === 'price' && element('span', { 'aria-hidden': 'true' }, '€'),
      ),
      name === 'price' && error,
    )
  const send = element('button', { type: 'submit', class: 'btn main' }, t('send'))
  const decline = element('button', { type: 'button', class: 'btn' }, t('decline'))
  const busy = (isBusy: boolean) => {
    send.disabled = isBusy
    decline.disabled = isBusy
    send.textContent = t(isBusy ? 'sending' : 'send')
  }
  /** Sends what was answered; what is closed by now says so itself. */
  const tell = async (work: () => Promise<PricePage>) => {
    busy(true)
    notice.textContent = ''
    try {
      page = await work()
      isChanging = false
      ;(await kept).forget()
      draw()
      document.getElementById('told')?.focus()
      say(t(page.answer?.priceCents == null ? 'declined' : 'thanks'))
    } catch (failure) {
      busy(false)
      if (failure instanceof ApiError && (failure.status === 404 || failure.status === 409)) return load()
      notice.textContent = t(passes(failure) ? 'offline' : 'notSent')
    }
  }
  const remark = () => (typed.remark.trim() === '' ? null : typed.remark.trim())
  decline.addEventListener('click', () => {
    void tell(() => callPublic(declinePrice, words.language, { params: { token }, body: { remark: remark() } }))
  })
  return element(
    'form',
    {
      class: 'answer',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        const priceCents = centsOf(typed.price)
        if (priceCents === null) {
          error.textContent = t(typed.price.trim() === '' ? 'priceMissing' : 'noPrice')
          document.getElementById('price')?.focus()
          return
        }
        const body = { priceCents, remark: remark(), holdsUntil: typed.holdsUntil === '' ? null : typed.holdsUntil }
        void tell(() => callPublic(answerPrice, words.language, { params: { token }, body }))
      },
    },
    element(
      'section',
      { class: 'card fields', 'aria-label': t('yourPrice') },
      field('price', t('price'), {
        type: 'text',
        inputmode: 'decimal',
        'aria-required': 'true',
        'aria-describedby': 'price-error',
      }),
      field('holdsUntil', t('holdsUntil'), { type: 'date' }, t('optional')),
      field('remark', t('remark'), { type: 'text', maxlength: '500' }, t('optional')),
    ),
    notice,
    send,
    decline,
    element('p', { class: 'dim note' }, t('changeable')),
  )
}

// ---------------------------------------------------------------- loading

/** What was typed here before and not sent, once it is known what the page asks. */
async function restore({ state, answer }: PricePage): Promise<void> {
  const { read, forget } = await kept
  const before = read()
  if (state !== 'open') forget()
  else if (before !== null) {
    Object.assign(typed, before.typed)
    const cents = centsOf(typed.price, before.language)
    if (cents !== null) typed.price = words.format.money(cents)
    isChanging = answer !== null
  }
}

async function load(): Promise<void> {
  place.setAttribute('aria-busy', 'true')
  try {
    page = await callPublic(getPricePage, words.language, { params: { token } })
    const language = languageFor(page.language)
    if (language !== words.language) {
      words = wordsOf(language)
      page = await callPublic(getPricePage, language, { params: { token } })
    }
    if (isFirst) await restore(page)
    isFirst = false
  } catch (failure) {
    page = null
    obstacle = await obstacleOf(failure, words.language)
  }
  draw()
}

void load()
