import type { Language } from '@waybill/contract/errors'
import {
  getTrackedFile,
  getTrackedMap,
  getTrackingMark,
  getTrackingPage,
  type TrackingPage,
} from '@waybill/contract/public/tracking-link'
import { ApiError } from '../../kit/api/api-error.ts'
import { addressOf } from '../../kit/api/request.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import { element } from '../shell/element.ts'
import { drawLanguages, focusLanguages, showIn, troubleView, type Trouble } from '../shell/parts.ts'
import { keepLanguage, languageFor } from '../shell/words.ts'
import { pageView } from './page-view.ts'
import { standingText } from './standing-words.ts'
import { wordsOf, type Words } from './track-words.ts'

/** How often the page asks for all of itself while it is seen. */
const PAUSE_MS = 60_000
/** How often it asks in between whether anything has changed: a delay is seen within five seconds. */
const LOOK_MS = 4_000

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const place = document.getElementById('page')!
const live = document.getElementById('live')!

let words: Words = wordsOf(languageFor(null))
let page: TrackingPage | null = null
let trouble: Trouble | null = null
/** the last call got no answer: what is shown may be old */
let isStale = false
let timer: ReturnType<typeof setTimeout> | undefined
let looking: ReturnType<typeof setTimeout> | undefined

const fileAddress = (key: string): string => addressOf(getTrackedFile.path, { params: { token, key } })
const mapAddress = ({ mark }: TrackingPage): string =>
  addressOf(getTrackedMap.path, { params: { token }, query: { mark } })

function speak(language: Language): void {
  words = wordsOf(language)
  keepLanguage(language)
  draw()
  focusLanguages()
}

const isOver = ({ state }: TrackingPage): boolean => state === 'delivered' || state === 'canceled'

function footText(known: TrackingPage): string {
  const { t, format } = words
  const time = format.dayTime(known.at)
  if (isStale) return t('stale', { time })
  return isOver(known) ? t('validUntil', { day: format.day(known.expiresAt) }) : t('refreshes', { time })
}

function drawFoot(): void {
  const foot = document.getElementById('foot')
  if (foot !== null && page !== null) foot.textContent = footText(page)
}

function draw(): void {
  document.title = [words.t('pageTitle'), page?.reference].filter(Boolean).join(' ')
  drawLanguages(words, speak)
  place.removeAttribute('aria-busy')
  if (page === null || trouble !== null) {
    const view = trouble && troubleView(trouble, words, { onAgain: () => void load() })
    showIn(place, ...(view === null ? [] : [element('main', { class: 'alone' }, view)]))
    return
  }
  document.getElementById('company')!.textContent = page.company.title
  showIn(
    place,
    pageView({ page, words, addressOf: fileAddress, mapAddress: mapAddress(page) }),
    element('footer', { class: 'foot' }, element('p', {}, words.t('localTimes')), element('p', { id: 'foot' })),
  )
  drawFoot()
}

/**
 * Fetches the map anew where something was saved, for a stop may lie elsewhere though the page says the same; and where
 * it did not come, for the connection may be back.
 */
function renewMap(known: TrackingPage): void {
  const map = document.getElementById('map')
  if (!(map instanceof HTMLImageElement)) return
  const address = mapAddress(known)
  const isMissing = map.complete && map.naturalWidth === 0
  if (isMissing || map.getAttribute('src') !== address) map.src = address
}

/** True where two answers say the same; the moment at which each was given is told below, and marks are not shown. */
const isSame = (one: TrackingPage, other: TrackingPage): boolean =>
  JSON.stringify({ ...one, at: '', mark: '' }) === JSON.stringify({ ...other, at: '', mark: '' })

function take(next: TrackingPage): void {
  const before = page
  page = next
  trouble = null
  isStale = false
  if (before === null) words = wordsOf(languageFor(next.language))
  if (before !== null && isSame(before, next)) {
    renewMap(next)
    return drawFoot()
  }
  draw()
  if (before === null) return
  const { heading, detail } = standingText(next, words)
  live.textContent = [heading, detail].filter(Boolean).join(', ')
}

async function load(): Promise<void> {
  stop()
  const wasTroubled = trouble !== null
  try {
    const next = await callPublic(getTrackingPage, words.language, { params: { token } })
    if (wasTroubled) page = null
    take(next)
  } catch (error) {
    const hasPassing = error instanceof ApiError && passes(error)
    if (page !== null && hasPassing && !wasTroubled) {
      isStale = true
      drawFoot()
    } else {
      page = null
      trouble = hasPassing ? (error.status === 429 ? 'slowed' : 'offline') : 'gone'
      draw()
    }
  }
  plan()
}

/** Asks whether what is shown is old. What goes wrong here is left to the next call for all of it. */
async function look(): Promise<void> {
  const shown = page?.mark
  try {
    const { mark } = await callPublic(getTrackingMark, words.language, { params: { token } })
    if (mark !== shown) return void load()
  } catch (error) {
    if (!(error instanceof ApiError && passes(error))) return void load()
  }
  planLook()
}

/** While goods are on their way: what is over seldom changes. */
function planLook(): void {
  clearTimeout(looking)
  if (page !== null && trouble === null && !isOver(page) && document.visibilityState === 'visible')
    looking = setTimeout(() => void look(), LOOK_MS)
}

function stop(): void {
  clearTimeout(timer)
  clearTimeout(looking)
}

/** The next call, as long as somebody sees the page and the link opens something. */
function plan(): void {
  stop()
  if (trouble !== 'gone' && document.visibilityState === 'visible') timer = setTimeout(() => void load(), PAUSE_MS)
  planLook()
}

document.addEventListener('visibilitychange', () => {
  stop()
  if (trouble !== 'gone' && document.visibilityState === 'visible') void load()
})
window.addEventListener('online', () => {
  if (trouble === 'offline' || isStale) void load()
})

draw()
void load()
