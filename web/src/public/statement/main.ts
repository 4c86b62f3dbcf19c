import type { Language } from '@waybill/contract/errors'
import {
  answerStatementPage,
  getStatementPage,
  type StatedLines,
  type StatementPage,
} from '@waybill/contract/public/statement-page'
import { localOf } from '@waybill/contract/kit/local-time'
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
let page: StatementPage | null = null
/** why there is none */
let obstacle: Obstacle | null = null
/** what is typed stays where another language is chosen, and where the page is loaded anew */
const typed = { name: '', remark: '' }
const kept = keptTyping('statement', token, typed)
let isFirst = true
let isObjecting = false

function speak(language: Language): void {
  words = wordsOf(language)
  keepLanguage(language)
  draw()
  focusLanguages()
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
  const { t, format } = words
  showIn(
    place,
    element(
      'main',
      { class: 'page' },
      element(
        'div',
        { class: 'top' },
        element('p', { class: 'dim' }, t('forHolder', { holder: page.holder })),
        element('h1', { tabindex: '-1' }, t('heading', { day: format.date(page.sentOn) })),
        page.state === 'open' && element('p', { class: 'dim' }, t('answerBy', { day: format.date(page.answerBy) })),
      ),
      balancesView(page.types),
      page.state === 'open' ? formView() : closedView(page.state, page.answer),
      ...page.types.map(movementsView),
    ),
    footView(page.company, page.contact, words),
  )
}

/** How each type stands, in a sentence that no sign has to be read for. */
function balancesView(types: readonly StatedLines[]): HTMLElement {
  const { t, format } = words
  return element(
    'section',
    { class: 'card balances', 'aria-label': t('balances') },
    element(
      'dl',
      {},
      ...types.map(({ title, pieces }) =>
        element(
          'div',
          {},
          element('dt', {}, title),
          element(
            'dd',
            {},
            t(pieces > 0 ? 'theyOwe' : pieces < 0 ? 'weOwe' : 'even', { pieces: format.number(Math.abs(pieces)) }),
          ),
        ),
      ),
    ),
  )
}

/** The movements of a type, the oldest first, each with the balance after it. */
function movementsView({ title, broughtForward, movements, pieces }: StatedLines): HTMLElement {
  const { t, format } = words
  const number = (value: number, isMoved = false): HTMLElement =>
    element('td', { class: 'number' }, isMoved && value === 0 ? '' : format.number(value))
  const head = (text: string, look: string | null = null): HTMLElement =>
    element('th', { scope: 'col', class: look }, text)
  return element(
    'section',
    { class: 'card lines' },
    element('h2', {}, t('movements', { type: title })),
    element(
      'div',
      { class: 'wide', tabindex: '0', role: 'region', 'aria-label': t('movements', { type: title }) },
      element(
        'table',
        {},
        element(
          'thead',
          {},
          element(
            'tr',
            {},
            head(t('date')),
            head(t('where')),
            head(t('note')),
            head(t('took'), 'number'),
            head(t('gave'), 'number'),
            head(t('balance'), 'number'),
          ),
        ),
        element(
          'tbody',
          {},
          broughtForward !== 0 &&
            element('tr', {}, element('td', { colspan: '5' }, t('broughtForward')), number(broughtForward)),
          ...movements.map(({ movedOn, where, noteNumber, given, received, balance }) =>
            element(
              'tr',
              {},
              element('td', {}, format.date(movedOn)),
              element('td', { class: 'where' }, where),
              element('td', {}, noteNumber ?? '–'),
              number(given, true),
              number(received, true),
              number(balance),
            ),
          ),
        ),
        element(
          'tfoot',
          {},
          element('tr', {}, element('th', { scope: 'row', colspan: '5' }, t('balance')), number(pieces)),
        ),
      ),
    ),
  )
}

function closedView(state: Exclude<StatementPage['state'], 'open'>, answer: StatementPage['answer']): HTMLElement {
  const { t, format } = words
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  return element(
    'section',
    { class: 'card arrived' },
    element(
      'span',
      { class: state === 'agreed' ? 'round ok' : 'round' },
      icon(state === 'agreed' ? 'check' : state === 'replaced' ? 'clock' : 'mail'),
    ),
    element('h2', { tabindex: '-1', id: 'told' }, t(`${state}Heading`)),
    element('p', {}, t(`${state}Text`)),
    answer?.remark != null && element('p', { class: 'dim' }, `„${answer.remark}“`),
    answer?.name != null &&
      element(
        'p',
        { class: 'dim' },
        t('saidBy', { name: answer.name, day: format.date(localOf(answer.at, zone).date) }),
      ),
  )
}

function field(name: keyof typeof typed, label: string, isLong: boolean): HTMLElement {
  const note = (event: Event) => {
    typed[name] = (event.target as HTMLInputElement).value
    void kept.then(({ write }) => write({ language: words.language, typed: { ...typed } }))
  }
  const shared = { id: name, name, 'aria-describedby': 'notice', oninput: note }
  const input = isLong
    ? element('textarea', { ...shared, maxlength: '1000', rows: '3' })
    : element('input', { ...shared, type: 'text', maxlength: '100', autocomplete: 'name' })
  input.value = typed[name]
  return element(
    'div',
    { class: 'field' },
    element('label', { for: name }, label),
    element('div', { class: 'in' }, input),
  )
}

function formView(): HTMLElement {
  const { t } = words
  const notice = element('p', { class: 'error', role: 'alert', id: 'notice' })
  const send = element('button', { type: 'submit', class: 'btn main' }, t(isObjecting ? 'objectSurely' : 'agree'))
  const other = element('button', { type: 'button', class: 'btn' }, t(isObjecting ? 'back' : 'object'))
  other.addEventListener('click', () => {
    isObjecting = !isObjecting
    draw()
    document.getElementById(isObjecting ? 'remark' : 'name')?.focus()
  })
  /** Sends the answer; what was answered or replaced meanwhile says so itself. */
  const tell = async () => {
    const missing = isObjecting && typed.remark.trim() === '' ? 'remark' : typed.name.trim() === '' ? 'name' : null
    if (missing !== null) {
      notice.textContent = t(missing === 'name' ? 'needName' : 'needRemark')
      document.getElementById(missing)?.focus()
      return
    }
    send.disabled = true
    other.disabled = true
    notice.textContent = ''
    try {
      const body = { isAgreed: !isObjecting, name: typed.name, remark: isObjecting ? typed.remark : null }
      page = await callPublic(answerStatementPage, words.language, { params: { token }, body })
      ;(await kept).forget()
      draw()
      document.getElementById('told')?.focus()
      live.textContent = t(page.state === 'agreed' ? 'agreedHeading' : 'objectedHeading')
    } catch (failure) {
      send.disabled = false
      other.disabled = false
      if (failure instanceof ApiError && (failure.status === 404 || failure.status === 409)) return load()
      notice.textContent = t(passes(failure) ? 'offline' : 'notSent')
    }
  }
  return element(
    'form',
    {
      class: 'answer',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        if (!send.disabled) void tell()
      },
    },
    element(
      'section',
      { class: 'card fields' },
      isObjecting && field('remark', t('why'), true),
      field('name', t('name'), false),
    ),
    notice,
    send,
    other,
    element('p', { class: 'dim note' }, t(isObjecting ? 'objectMeans' : 'agreeMeans')),
  )
}

// ---------------------------------------------------------------- loading

async function load(): Promise<void> {
  place.setAttribute('aria-busy', 'true')
  try {
    page = await callPublic(getStatementPage, words.language, { params: { token } })
    words = wordsOf(languageFor(page.language))
    if (isFirst) {
      const { read, forget } = await kept
      if (page.state === 'open') Object.assign(typed, read()?.typed)
      else forget()
      isObjecting = typed.remark !== ''
    }
    isFirst = false
  } catch (failure) {
    page = null
    obstacle = await obstacleOf(failure, words.language)
  }
  draw()
}

void load()
