import type { TrackedStop, TrackingPage } from '@waybill/contract/public/tracking-link'
import { element, icon } from '../shell/element.ts'
import { phoneHref, phoneLink, sizeText } from '../shell/parts.ts'
import { momentText, terminText } from '../shell/when-words.ts'
import { lateText, mapText, placeText, standingText } from './standing-words.ts'
import type { Words } from './track-words.ts'

interface Shown {
  page: TrackingPage
  words: Words
  /** where a file is found */
  addressOf: (key: string) => string
  /** where the map of the stops is found */
  mapAddress: string
}

/** Everything that the page says of an order. */
export function pageView(shown: Shown): HTMLElement {
  const { page, words } = shown
  return element(
    'main',
    { class: 'track' },
    headView(shown),
    element(
      'div',
      { class: 'parts' },
      standingView(shown),
      page.stops.length > 0 &&
        element(
          'section',
          { class: 'card', 'aria-label': words.t('stops') },
          element('ol', { class: 'stops' }, ...page.stops.map((stop, place) => stopView(stop, place, shown))),
        ),
      page.hasMap && mapView(shown),
      page.state !== 'canceled' && filesView(shown),
      mainButton(shown),
      contactView(shown),
    ),
  )
}

/** From where to where: the first loading, and every drop-off. */
function laneText({ page: { stops }, words }: Shown): string | null {
  const is = (...kinds: TrackedStop['kind'][]) => stops.filter(({ kind }) => kinds.includes(kind))
  const [first] = is('loading', 'both')
  const towns = [...new Set(is('unloading', 'both').map((stop) => placeText(stop, words)))]
  if (first === undefined || towns.length === 0) return null
  return words.t('lane', { from: placeText(first, words), to: words.format.list(towns) })
}

function headView(shown: Shown): HTMLElement {
  const { page, words } = shown
  const { t, format } = words
  const { reference, number, plateNumbers, carriers } = page
  return element(
    'div',
    { class: 'head' },
    element(
      'p',
      { class: 'dim' },
      t('yourOrder'),
      ' ',
      element('b', { class: 'number' }, reference),
      reference === number ? null : ` · ${t('ourNumber', { number })}`,
    ),
    element('h1', { tabindex: '-1' }, laneText(shown) ?? t('order', { number: reference })),
    carriers.length > 0 && element('p', { class: 'dim' }, t('carrier', { carrier: format.list(carriers) })),
    plateNumbers.length > 0 && element('p', { class: 'figures' }, t('plate', { plate: format.list(plateNumbers) })),
  )
}

const MARKS = { plain: 'truck', late: 'clock', done: 'check' } as const

function standingView({ page, words }: Shown): HTMLElement {
  const { tone, heading, detail } = standingText(page, words)
  return element(
    'section',
    { class: `card standing ${tone}`, 'aria-label': words.t('standing') },
    element('span', { class: 'sign' }, icon(MARKS[tone])),
    element('p', { class: 'grow' }, element('b', {}, heading), detail === '' ? null : element('span', {}, detail)),
    page.delay !== null &&
      page.delay.reason !== null &&
      element('p', { class: 'reason', dir: 'auto' }, page.delay.reason),
  )
}

function stopView(stop: TrackedStop, place: number, { page, words }: Shown): HTMLElement {
  const { t } = words
  const { timeZone, expectedAt, arrivedAt, loadedAt, unloadedAt, isDone, lateMinutes, termin } = stop
  const isLate = lateMinutes !== null && lateMinutes > 0
  const isNext = page.state !== 'delivered' && place === page.stop && !isDone
  const times = [
    ['due', termin === null ? null : terminText(termin, words)],
    ['expected', expectedAt === null ? null : momentText(expectedAt, timeZone, words)],
    ['arrived', arrivedAt === null ? null : momentText(arrivedAt, timeZone, words)],
    ['loaded', loadedAt === null ? null : momentText(loadedAt, timeZone, words)],
    ['unloaded', unloadedAt === null ? null : momentText(unloadedAt, timeZone, words)],
  ] as const
  return element(
    'li',
    { class: isLate ? 'late' : isNext ? 'next' : '' },
    element('span', { class: isDone ? 'mark ok' : 'mark' }, isDone ? icon('check') : String(place + 1)),
    element(
      'div',
      { class: 'grow' },
      element(
        'div',
        { class: 'what' },
        element('b', {}, t(`${stop.kind}Stop`)),
        lateMinutes !== null &&
          element(
            'span',
            { class: isLate ? 'pill late' : 'pill' },
            isLate ? t('lateBy', { time: lateText(lateMinutes, words) }) : t('onTime'),
          ),
        isDone && element('span', { class: 'unseen' }, t('done')),
      ),
      element('p', {}, element('span', { class: 'country' }, stop.countryCode), ' ', placeText(stop, words)),
      element(
        'dl',
        {},
        ...times.flatMap(([name, time]) =>
          time === null
            ? []
            : [
                element('dt', {}, t(`${name}Time`)),
                element('dd', { class: name === 'expected' && isLate ? 'late' : '' }, time),
              ],
        ),
      ),
    ),
  )
}

/** Its size is given, so that nothing moves when it comes. */
const mapView = ({ page, words, mapAddress }: Shown): HTMLElement =>
  element('img', {
    id: 'map',
    class: 'map',
    src: mapAddress,
    alt: mapText(page, words),
    width: 640,
    height: 300,
    loading: 'lazy',
  })

function filesView({ page, words, addressOf }: Shown): HTMLElement {
  const { t } = words
  const rows = page.files.map(({ key, title, sizeBytes }) =>
    element(
      'li',
      {},
      icon('file'),
      element('a', { class: 'grow', href: addressOf(key), download: title, 'data-file': key }, title),
      element('span', { class: 'dim figures' }, sizeText(sizeBytes, words)),
    ),
  )
  const none = element(
    'li',
    {},
    icon('file'),
    element('span', { class: 'grow dim' }, t(page.state === 'delivered' ? 'podAwaited' : 'podLater')),
  )
  return element(
    'section',
    { class: 'card', 'aria-label': t('files') },
    element('ul', { class: 'files' }, ...(rows.length === 0 ? [none] : rows)),
  )
}

/** Call, or download once there is something to download. */
function mainButton({ page, words, addressOf }: Shown): HTMLElement | false {
  const { t } = words
  const { contact, files } = page
  const button = (sign: 'phone' | 'download' | 'mail', text: string, attributes: Record<string, string>) =>
    element('a', { id: 'main-button', class: 'btn main', ...attributes }, icon(sign), text)
  const [file, ...others] = files
  if (file !== undefined && page.state === 'delivered') {
    if (others.length === 0)
      return button('download', t('download'), { href: addressOf(file.key), download: file.title })
    return element(
      'button',
      {
        id: 'main-button',
        type: 'button',
        class: 'btn main',
        onclick: () => {
          for (const link of document.querySelectorAll<HTMLElement>('[data-file]')) link.click()
        },
      },
      icon('download'),
      t('downloadAll', { count: files.length }),
    )
  }
  if (contact.phone !== null)
    return button('phone', contact.name === null ? t('callUs') : t('call', { name: contact.name }), {
      href: phoneHref(contact.phone),
    })
  const { email } = page.company
  return email !== null && button('mail', t('write'), { href: `mailto:${email}` })
}

const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .filter(Boolean)
    .map((part) => part[0]!.toUpperCase())
    .filter((_letter, place, all) => place === 0 || place === all.length - 1)
    .join('')

function contactView({ page, words }: Shown): HTMLElement {
  const { t } = words
  const { contact, company } = page
  const name = contact.name ?? company.title
  return element(
    'section',
    { class: 'card contact', 'aria-label': t('contact') },
    element('span', { class: 'face', 'aria-hidden': 'true' }, initialsOf(name)),
    element(
      'div',
      { class: 'grow' },
      element('b', {}, name),
      element('p', { class: 'dim' }, contact.name === null ? t('questions') : t('looksAfter')),
      contact.phone !== null && phoneLink(contact.phone),
    ),
    company.email !== null &&
      element(
        'a',
        { class: 'btn small', href: `mailto:${company.email}`, 'aria-label': t('writeTo', { name }) },
        icon('mail'),
      ),
  )
}
