import type { PricePage } from '@waybill/contract/public/price-page'
import { element } from '../shell/element.ts'
import type { Words } from './words.ts'

type Stop = PricePage['stops'][number]

const townOf = ({ city, countryCode }: Stop): string => city ?? countryCode

/** From where to where, by the towns. */
export function laneOf({ stops }: PricePage): string {
  const [from, to] = [stops.find(({ kind }) => kind === 'loading'), stops.findLast(({ kind }) => kind === 'unloading')]
  return [from ?? stops[0], to ?? stops.at(-1)].map((stop) => (stop ? townOf(stop) : '–')).join(' – ')
}

/** When somebody has to be at a stop, as its own clock says it. */
function terminWords({ termin }: Stop, { t, format }: Words): string {
  if (termin === null) return t('noDate')
  const at = (date: string, time: string | null) => [format.shortWeekdayDate(date), time].filter(Boolean).join(' ')
  const { kind, dateFrom, timeFrom, dateTo, timeTo } = termin
  if (kind === 'before') return t('before', { when: at(dateFrom, timeFrom) })
  if (dateTo === null || dateTo === dateFrom) return [at(dateFrom, timeFrom), timeTo].filter(Boolean).join('–')
  return `${at(dateFrom, timeFrom)} – ${at(dateTo, timeTo)}`
}

/** Where from and where to, when, what, and with which vehicle. */
export function transportView(page: PricePage, words: Words): HTMLElement {
  const { t, format } = words
  const { cargo, vehicle, isLiftRequired, distanceKm } = page
  const temperature =
    cargo.temperatureFrom === null && cargo.temperatureTo === null
      ? ''
      : t('temperature', {
          from: cargo.temperatureFrom === null ? '' : format.number(cargo.temperatureFrom),
          to: cargo.temperatureTo === null ? '' : format.number(cargo.temperatureTo),
        })
  const goods = [
    ...cargo.units.map(({ quantity, unit }) => [format.number(quantity), unit].filter(Boolean).join(' × ')),
    temperature,
    cargo.isDangerous ? t('dangerous') : '',
  ]
  const measures = [
    cargo.ldm > 0 ? `${format.number(cargo.ldm)} ${t('ldm')}` : '',
    cargo.weightKg > 0 ? `${format.number(cargo.weightKg)} kg` : '',
  ]
  const facts: [string, string][] = [
    [t('cargo'), goods.filter(Boolean).join(', ')],
    [t('measures'), measures.filter(Boolean).join(' · ')],
    [t('vehicle'), [vehicle, isLiftRequired ? t('lift') : ''].filter(Boolean).join(', ')],
    [t('distance'), distanceKm === null ? '' : `${format.number(distanceKm, 0, 0)} km`],
  ]
  return element(
    'section',
    { class: 'card transport', 'aria-label': t('transport') },
    element(
      'ol',
      { class: 'stops' },
      ...page.stops.map((stop, index) =>
        element(
          'li',
          {},
          element('span', { class: 'no' }, String(index + 1)),
          element(
            'span',
            {},
            element('b', {}, `${t(stop.kind)}: ${terminWords(stop, words)}`),
            element(
              'span',
              { class: 'town' },
              element('abbr', { class: 'country', title: words.countryName(stop.countryCode) }, stop.countryCode),
              ' ',
              [stop.postal, stop.city].filter(Boolean).join(' '),
            ),
          ),
        ),
      ),
    ),
    element(
      'dl',
      { class: 'facts' },
      ...facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
    ),
    page.remark !== null && element('p', { class: 'told' }, page.remark),
  )
}
