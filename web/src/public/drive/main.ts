import {
  EXCHANGE_TOLD,
  getDriverPage,
  TRUCK_LINK_DAYS,
  type DrivenStop,
  type DriverPage,
  type PictureTold,
} from '@waybill/contract/public/driver-link'
import type { Language } from '@waybill/contract/errors'
import { addDays, localOf } from '@waybill/contract/kit/local-time'
import { ApiError } from '../../kit/api/api-error.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import { element, icon } from '../shell/element.ts'
import { drawLanguages, focusLanguages, phoneLink, showIn, troubleView, type Trouble } from '../shell/parts.ts'
import { keepLanguage, languageFor, readKept, writeKept } from '../shell/words.ts'
import { squeeze } from '../upload/squeeze.ts'
import { wordsOf, type Words } from './drive-words.ts'
import { keptFor, type Kept } from './kept.ts'
import { createReportSender, type ReportSender, type Told } from './send-reports.ts'
import { askExchange } from './exchange-sheet.ts'
import { askTime, askWords } from './sheets.ts'
import { askSignature } from './sign-sheet.ts'
import { currentStop, exchangeAt, nextStep, stepsOf } from './steps.ts'
import { stopView } from './stop-view.ts'

/** How often the page asks while it is seen: what the office changes is of use on the road. */
const PAUSE_MS = 120_000
const CLOCK = 'waybill-drive-clock'
// Below it a clock is right enough.
const CLOCK_MS = 60_000

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const place = document.getElementById('page')!
const live = document.getElementById('live')!

let words: Words = wordsOf(languageFor(null))
let page: DriverPage | null = null
/** whom to call, also once the link has ended */
let contact: DriverPage['contact'] | null = null
let hasTakenOver = false
let trouble: Trouble | null = null
/** the last call got no answer */
let isOffline = false
/** a stop that the driver has opened; null: the one that comes next */
let opened: number | null = null
let kept: Kept
let sender: ReportSender
let timer: ReturnType<typeof setTimeout> | undefined

const say = (text: string) => {
  live.textContent = text
}

/** The moment: a telephone whose clock is wrong was told so by the server. */
const now = (): Date => new Date(Date.now() + Number(readKept(CLOCK) ?? 0))

// ---------------------------------------------------------------- what is told

async function tell(told: Pick<Told, 'stopId' | 'kind' | 'at'> & Partial<Told>): Promise<void> {
  const isKept = await sender.tell({ position: null, text: null, signedBy: null, file: null, exchange: null, ...told })
  const { t } = words
  say(isKept ? t(`${told.kind}Told`) : t('notKept'))
}

// One for all: it outlives what is drawn anew below it while the camera is open.
const camera = element('input', {
  type: 'file',
  accept: 'image/*',
  capture: 'environment',
  class: 'unseen',
  tabindex: '-1',
  'aria-hidden': 'true',
})
let shot: { stopId: number; kind: PictureTold; timeZone: string } | null = null
camera.addEventListener('change', async () => {
  const [given] = camera.files ?? []
  const wanted = shot
  const at = now()
  if (given === undefined || wanted === null) return
  const { stopId, kind, timeZone } = wanted
  const { date, time } = localOf(at, timeZone)
  const small = await squeeze(given)
  camera.value = ''
  const ending = /\.\w{1,5}$/.exec(small.name)?.[0] ?? '.jpg'
  const name = `${words.t(`${kind}File`)}_${date}_${time.replace(':', '')}${ending}`
  await tell({ stopId, kind, at: at.toISOString(), file: new File([small], name, { type: small.type }) })
})

const actions = {
  onOpen({ id }: DrivenStop) {
    opened = opened === id ? 0 : id
    draw()
  },
  onPhoto({ id: stopId, timeZone }: DrivenStop, kind: PictureTold) {
    shot = { stopId, kind, timeZone }
    camera.click()
  },
  onWords(stop: DrivenStop, kind: 'remark' | 'damage') {
    askWords({
      kind,
      stop,
      words,
      onTell: (text) => void tell({ stopId: stop.id, kind, at: now().toISOString(), text }),
    })
  },
  onExchange(stop: DrivenStop) {
    askExchange({
      stop,
      types: typesOf(page!),
      before: exchangeAt(stop, sender.list()),
      words,
      onTell: (exchange) => void tell({ stopId: stop.id, kind: EXCHANGE_TOLD, at: now().toISOString(), exchange }),
    })
  },
  onSign(stop: DrivenStop) {
    askSignature({
      stop,
      number: stop.number ?? page!.number,
      words,
      now: now(),
      onTell: (signed) => void tell({ stopId: stop.id, kind: 'signature', ...signed }),
    })
  },
}

// A page that an earlier version kept has none.
const typesOf = ({ loadCarrierTypes }: DriverPage): DriverPage['loadCarrierTypes'] => loadCarrierTypes ?? []

function tellStep(stop: DrivenStop): void {
  const step = nextStep(stop, sender.list())
  if (step === null) return
  askTime({
    step,
    stop,
    words,
    now: now(),
    onTell: ({ at, position }) => {
      // The last step of a stop leads to the next one.
      if (step === stepsOf(stop).at(-1)) opened = null
      void tell({ stopId: stop.id, kind: step, at, position })
    },
  })
}

// ---------------------------------------------------------------- what is seen

function speak(language: Language): void {
  words = wordsOf(language)
  keepLanguage(language)
  draw()
  focusLanguages()
  // The server says what goods and load carriers are called.
  if (trouble === null) void load()
}

/** What waits on this telephone, and what the server did not take. */
function queueView(): HTMLElement[] {
  const { t } = words
  const waiting = sender.countWaiting()
  const refused = sender.list().filter(({ refusal }) => refusal !== null)
  const isStopped = waiting > 0 || isOffline
  const said = waiting === 0 ? t('offlineNothing') : t(waiting === 1 ? 'waitingOne' : 'waitingMany', { count: waiting })
  return [
    ...(isStopped
      ? [
          element(
            'div',
            { class: 'net', role: 'status' },
            icon('clock'),
            element('span', { class: 'grow' }, isOffline ? `${t('noNetwork')} ${said}` : said),
            waiting > 0 &&
              element(
                'button',
                { id: 'send-now', type: 'button', class: 'btn small', onclick: () => sender.goOn() },
                t('sendNow'),
              ),
          ),
        ]
      : []),
    ...refused.map(({ key, kind, refusal }) =>
      element(
        'div',
        { class: 'net bad', role: 'alert' },
        icon('look'),
        element('span', { class: 'grow' }, `${t(`${kind}Told`)}: ${refusal ?? ''}`),
        element(
          'button',
          { type: 'button', class: 'btn small', onclick: () => void sender.dismiss(key) },
          t('dismiss'),
        ),
      ),
    ),
  ]
}

// One address for each picture, however often the page is drawn.
const addresses = new Map<string, string>()
function addressOf(key: string, file: File): string {
  const address = addresses.get(key) ?? URL.createObjectURL(file)
  addresses.set(key, address)
  return address
}

/** What was not sent before the link ended: nobody else has it. */
function leftView(): HTMLElement[] {
  const { t } = words
  const count = sender.countWaiting()
  if (count === 0) return []
  const phone = contact?.phone ?? null
  return [
    element(
      'section',
      { class: 'card arrived left', role: 'alert' },
      element('h2', {}, t(count === 1 ? 'leftOne' : 'leftMany', { count })),
      element('p', {}, t('leftHelp')),
      phone !== null && element('p', {}, t('questions'), ' ', phoneLink(phone)),
      ...sender
        .list()
        .flatMap(({ key, file }) =>
          file === null
            ? []
            : element(
                'a',
                { class: 'btn', href: addressOf(key, file), download: file.name },
                icon('download'),
                element('span', {}, t('savePicture', { name: file.name })),
              ),
        ),
    ),
  ]
}

/** What the page is about: a route and its plate, or a truck and its days. */
function aboutOf({ number, plateNumber, day }: DriverPage): string {
  const { format } = words
  const days =
    // A page that an earlier version kept has none.
    day === null || day === undefined
      ? []
      : Array.from({ length: TRUCK_LINK_DAYS }, (_, ahead) => format.shortWeekdayDate(addDays(day, ahead)))
  return days.length === 0 ? [number, plateNumber].filter(Boolean).join(' · ') : [number, days.join(', ')].join(' · ')
}

function pageView(known: DriverPage): HTMLElement[] {
  const { t, format } = words
  const waiting = sender.list()
  const current = currentStop(known, waiting)
  const open = known.stops.find(({ id }) => id === opened) ?? (opened === null ? current : undefined)
  const acting = open ?? current
  const step = acting && nextStep(acting, waiting)
  const done = known.stops.filter((stop) => nextStep(stop, waiting) === null).length
  return [
    element(
      'main',
      { class: 'drive' },
      element(
        'div',
        { class: 'title' },
        element('p', { class: 'dim figures' }, aboutOf(known)),
        element(
          'h1',
          { tabindex: '-1' },
          known.isCanceled
            ? t('canceled')
            : known.stops.length === 0
              ? t('nothingPlanned')
              : current === undefined
                ? t('allDone')
                : t('stopOf', { place: Math.min(done + 1, known.stops.length), count: known.stops.length }),
        ),
      ),
      ...queueView(),
      element(
        'ol',
        { class: 'stops' },
        ...known.stops.map((stop, index) =>
          stopView({
            stop,
            place: index,
            isOfTruck: (known.day ?? null) !== null,
            words,
            waiting,
            types: typesOf(known),
            isOpen: stop === open,
            ...actions,
          }),
        ),
      ),
      element(
        'footer',
        { class: 'foot' },
        element(
          'p',
          {},
          t('questions'),
          ' ',
          known.contact.name === null ? '' : `${known.contact.name}, `,
          known.contact.phone !== null && phoneLink(known.contact.phone),
        ),
        element('p', {}, t('validUntil', { day: format.day(known.endsAt) })),
      ),
    ),
    ...(acting && step
      ? [
          element(
            'div',
            { class: 'go' },
            element(
              'button',
              { id: 'step', type: 'button', class: 'btn main', onclick: () => tellStep(acting) },
              t(`${step}Step`),
            ),
          ),
        ]
      : []),
  ]
}

function draw(): void {
  document.title = [words.t('pageTitle'), page?.number].filter(Boolean).join(' ')
  drawLanguages(words, speak)
  place.removeAttribute('aria-busy')
  if (page === null || trouble !== null) {
    const view = trouble && troubleView(trouble, words, { onAgain: () => void load() })
    showIn(
      place,
      ...(view === null ? [] : [element('main', { class: 'alone' }, view, ...(trouble === 'gone' ? leftView() : []))]),
    )
    return
  }
  document.getElementById('company')!.textContent = page.company.title
  showIn(place, ...pageView(page))
}

// ---------------------------------------------------------------- what the server says

function take(next: DriverPage): void {
  const asked = words.language
  if (page === null) words = wordsOf(languageFor(next.language))
  const ahead = Date.parse(next.at) - Date.now()
  writeKept(CLOCK, Math.abs(ahead) < CLOCK_MS ? null : String(ahead))
  page = next
  contact = next.contact
  trouble = null
  isOffline = false
  void kept.writePage(next)
  draw()
  // What goods and load carriers are called came in the browser's language, and is asked for once more.
  if (words.language !== asked) void load()
  if (hasTakenOver) return
  hasTakenOver = true
  void takeOver(next)
}

/** Goes on with what waits here of earlier links: of a truck each of its routes may have had one. */
async function takeOver({ stops }: DriverPage): Promise<void> {
  for (const number of new Set(stops.map((stop) => stop.number))) await sender.takeOver(number)
}

function end(): void {
  page = null
  trouble = 'gone'
  void kept.writePage(null)
  draw()
}

async function load(): Promise<void> {
  clearTimeout(timer)
  try {
    take(await callPublic(getDriverPage, words.language, { params: { token } }))
    sender.goOn()
    void navigator.serviceWorker?.register('/drive-worker.js', { scope: '/drive/' }).catch(() => undefined)
  } catch (error) {
    if (!(error instanceof ApiError && passes(error))) return end()
    isOffline = error.status === 0
    if (page === null) trouble = error.status === 429 ? 'slowed' : 'offline'
    draw()
  }
  plan()
}

/** The next call, as long as somebody sees the page and the link opens something. */
function plan(): void {
  clearTimeout(timer)
  if (trouble !== 'gone' && document.visibilityState === 'visible') timer = setTimeout(() => void load(), PAUSE_MS)
}

async function begin(): Promise<void> {
  kept = await keptFor(token)
  sender = createReportSender({
    token,
    kept,
    words: () => words,
    // A page that an earlier version kept knows its route alone.
    numberOf: (stopId) => page?.stops.find(({ id }) => id === stopId)?.number ?? page?.number ?? null,
    onChange: () => draw(),
    onPage: take,
    onGone: end,
  })
  document.body.append(camera)
  page = await kept.readPage()
  if (page !== null) {
    words = wordsOf(languageFor(page.language))
    contact = page.contact
  }
  draw()
  await sender.restore()
  await load()
}

document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible' && trouble !== 'gone') void load()
})
window.addEventListener('online', () => void load())
window.addEventListener('offline', () => {
  isOffline = true
  draw()
})
void begin()
