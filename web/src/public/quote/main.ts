import type { Language } from '@waybill/contract/errors'
import { acceptQuote, getQuotePage, refuseQuote, type QuotePage } from '@waybill/contract/public/quote-page'
import { ApiError } from '../../kit/api/api-error.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import { drawCompany, footView } from '../shell/company.ts'
import { element, icon } from '../shell/element.ts'
import { keptTyping } from '../shell/kept-typing.ts'
import { obstacleOf, obstacleView, type Obstacle } from '../shell/obstacle.ts'
import { drawLanguages, focusLanguages, showIn } from '../shell/parts.ts'
import { keepLanguage, languageFor } from '../shell/words.ts'
import { wordsOf, type Words } from './words.ts'

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const place = document.getElementById('page')!
const live = document.getElementById('live')!

let words: Words = wordsOf(languageFor(null))
let page: QuotePage | null = null
/** why there is none */
let obstacle: Obstacle | null = null
/** what is typed stays where another language is chosen */
const typed = { remark: '' }
const kept = keptTyping('quote', token, typed)
let isFirst = true
/** refusing asks once more: it cannot be taken back here */
let isRefusing = false

/** Another language: the unit is asked for anew. */
async function speak(language: Language): Promise<void> {
  words = wordsOf(language)
  keepLanguage(language)
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
  showIn(
    place,
    element(
      'main',
      { class: 'page' },
      element(
        'div',
        { class: 'top' },
        element('p', { class: 'dim' }, t('forCustomer', { customer: page.customer })),
        element('h1', { tabindex: '-1' }, t('heading', { number: page.number })),
        page.state === 'open' && element('p', { class: 'dim' }, t('validUntil', { day: format.date(page.validUntil) })),
      ),
      offerView(page),
      page.state === 'open' ? formView() : closedView(page.state),
    ),
    footView(page.company, page.contact, words),
  )
}

/** What is offered: the price, where from and where to, and what. */
function offerView({
  from,
  to,
  goods,
  quantity,
  unit,
  ldm,
  weightKg,
  priceCents,
  remark: told,
}: QuotePage): HTMLElement {
  const { t, format } = words
  const stop = ({ countryCode, postal, city, date }: QuotePage['from']): string =>
    [[countryCode, postal, city].filter(Boolean).join(' '), date === null ? '' : format.shortWeekdayDate(date)]
      .filter(Boolean)
      .join(', ')
  const cargo = [
    quantity === null ? '' : [format.number(quantity), unit].filter(Boolean).join(' × '),
    goods ?? '',
    ldm === null ? '' : `${format.number(ldm)} ${t('ldm')}`,
    weightKg === null ? '' : `${format.number(weightKg)} kg`,
  ]
  const facts: [string, string][] = [
    [t('from'), stop(from)],
    [t('to'), stop(to)],
    [t('goods'), cargo.filter(Boolean).join(', ')],
  ]
  return element(
    'section',
    { class: 'card offer', 'aria-label': t('offer') },
    element(
      'p',
      { class: 'sum' },
      element('b', {}, format.euro(priceCents)),
      element('span', { class: 'dim' }, t('net')),
    ),
    element(
      'dl',
      { class: 'facts' },
      ...facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    told !== null && element('p', { class: 'told' }, told),
  )
}

function closedView(state: Exclude<QuotePage['state'], 'open'>): HTMLElement {
  const { t } = words
  const isGood = state === 'accepted'
  return element(
    'section',
    { class: 'card arrived' },
    element(
      'span',
      { class: isGood ? 'round ok' : 'round' },
      icon(isGood ? 'check' : state === 'over' ? 'clock' : 'lock'),
    ),
    element('h2', { tabindex: '-1', id: 'told' }, t(`${state}Heading`)),
    element('p', {}, t(`${state}Text`)),
    page!.answer?.remark != null && element('p', { class: 'dim' }, `„${page!.answer.remark}“`),
  )
}

function formView(): HTMLElement {
  const { t } = words
  const notice = element('p', { class: 'error', role: 'alert' })
  const accept = element('button', { type: 'submit', class: 'btn main' }, t('accept'))
  const refuse = element('button', { type: 'button', class: 'btn' }, t(isRefusing ? 'refuseSurely' : 'refuse'))
  /** Sends the answer; what is over or withdrawn by now says so itself. */
  const tell = async (endpoint: typeof acceptQuote | typeof refuseQuote) => {
    accept.disabled = true
    refuse.disabled = true
    notice.textContent = ''
    try {
      const body = { remark: typed.remark.trim() === '' ? null : typed.remark.trim() }
      page = await callPublic(endpoint, words.language, { params: { token }, body })
      ;(await kept).forget()
      draw()
      document.getElementById('told')?.focus()
      live.textContent = t(page.state === 'accepted' ? 'acceptedHeading' : 'refusedHeading')
    } catch (failure) {
      accept.disabled = false
      refuse.disabled = false
      if (failure instanceof ApiError && (failure.status === 404 || failure.status === 409)) return load()
      notice.textContent = t(passes(failure) ? 'offline' : 'notSent')
    }
  }
  refuse.addEventListener('click', () => {
    if (isRefusing) {
      void tell(refuseQuote)
      return
    }
    isRefusing = true
    draw()
    document.getElementById('remark')?.focus()
  })
  return element(
    'form',
    {
      class: 'answer',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        if (!accept.disabled) void tell(acceptQuote)
      },
    },
    element(
      'section',
      { class: 'card fields' },
      element(
        'div',
        { class: 'field' },
        element('label', { for: 'remark' }, t(isRefusing ? 'why' : 'remark'), ' ', element('small', {}, t('optional'))),
        element(
          'div',
          { class: 'in' },
          element('input', {
            id: 'remark',
            name: 'remark',
            type: 'text',
            maxlength: '500',
            autocomplete: 'off',
            value: typed.remark,
            oninput: (event) => {
              typed.remark = (event.target as HTMLInputElement).value
              void kept.then(({ write }) => write({ language: words.language, typed: { ...typed } }))
            },
          }),
        ),
      ),
    ),
    notice,
    !isRefusing && accept,
    refuse,
    isRefusing &&
      element(
        'button',
        {
          type: 'button',
          class: 'btn',
          onclick: () => {
            isRefusing = false
            draw()
          },
        },
        t('back'),
      ),
    element('p', { class: 'dim note' }, t(isRefusing ? 'refuseMeans' : 'acceptMeans')),
  )
}

// ---------------------------------------------------------------- loading

async function load(): Promise<void> {
  place.setAttribute('aria-busy', 'true')
  try {
    page = await callPublic(getQuotePage, words.language, { params: { token } })
    const language = languageFor(page.language)
    if (language !== words.language) {
      words = wordsOf(language)
      page = await callPublic(getQuotePage, language, { params: { token } })
    }
    if (isFirst) {
      const { read, forget } = await kept
      if (page.state === 'open') Object.assign(typed, read()?.typed)
      else forget()
    }
    isFirst = false
  } catch (failure) {
    page = null
    obstacle = await obstacleOf(failure, words.language)
  }
  draw()
}

void load()
