import type { Reference } from '@waybill/contract/kit/fields'
import type { DrivenGoods, DrivenStop, PictureTold, ToldExchange } from '@waybill/contract/public/driver-link'
import { element, icon } from '../shell/element.ts'
import { phoneHref } from '../shell/parts.ts'
import { momentText, terminText } from '../shell/when-words.ts'
import type { Words } from './drive-words.ts'
import type { Waiting } from './kept.ts'
import { nextStep, toldAt, wayTo } from './steps.ts'

export interface StopActions {
  onOpen: (stop: DrivenStop) => void
  onPhoto: (stop: DrivenStop, kind: PictureTold) => void
  onWords: (stop: DrivenStop, kind: 'remark' | 'damage') => void
  onSign: (stop: DrivenStop) => void
  onExchange: (stop: DrivenStop) => void
}

interface Shown extends StopActions {
  stop: DrivenStop
  /** its place among the stops, from 0 */
  place: number
  /** stops of other routes stand beside it */
  isOfTruck: boolean
  words: Words
  waiting: readonly Waiting[]
  /** of load carriers */
  types: readonly Reference[]
  isOpen: boolean
}

/** What a stop is called where nobody has typed a company or a town. */
export const nameOf = ({ companyTitle, city, countryCode }: DrivenStop, { countryName }: Words): string =>
  companyTitle ?? city ?? countryName(countryCode)

const isUnloadedAt = ({ kind }: DrivenStop): boolean => kind === 'unloading' || kind === 'both'

/** A stop: what it is and when, and where it is open everything that the driver needs and can tell there. */
export function stopView(shown: Shown): HTMLElement {
  const { stop, place, isOfTruck, words, waiting, isOpen } = shown
  const { t } = words
  const isDone = nextStep(stop, waiting) === null
  const { postal, city, countryCode, termin, plannedAt, timeZone } = stop
  const when =
    termin === null ? (plannedAt === null ? null : momentText(plannedAt, timeZone, words)) : terminText(termin, words)
  return element(
    'li',
    { class: isDone ? 'card stop done' : 'card stop' },
    element(
      'button',
      {
        id: `stop-${stop.id}`,
        type: 'button',
        class: 'head',
        'aria-expanded': String(isOpen),
        onclick: () => shown.onOpen(stop),
      },
      element('span', { class: isDone ? 'mark ok' : 'mark' }, isDone ? icon('check') : String(place + 1)),
      element(
        'span',
        { class: 'grow' },
        element('b', {}, `${t(`${stop.kind}Stop`)} · ${nameOf(stop, words)}`),
        element(
          'span',
          { class: 'dim figures' },
          [isOfTruck && stop.number, `${countryCode} ${[postal, city].filter(Boolean).join(' ')}`, when]
            .filter(Boolean)
            .join(' · '),
        ),
        isDone && element('span', { class: 'unseen' }, t('done')),
      ),
    ),
    isOpen && detailsView(shown),
  )
}

function detailsView(shown: Shown): HTMLElement {
  const { stop, words, waiting, types } = shown
  const { t } = words
  const told = toldAt(stop, waiting)
  const button = (id: string, label: string, onclick: () => void) =>
    element('button', { id: `${id}-${stop.id}`, type: 'button', class: 'btn', onclick }, label)
  const photo = (kind: PictureTold, label: string) => button(kind, label, () => shown.onPhoto(stop, kind))
  return element(
    'div',
    { class: 'inside' },
    element(
      'address',
      {},
      stop.address,
      stop.address && element('br'),
      [stop.postal, stop.city].filter(Boolean).join(' '),
    ),
    element(
      'div',
      { class: 'two' },
      element(
        'a',
        { class: 'btn', href: wayTo(stop, navigator.userAgent), target: '_blank', rel: 'noopener noreferrer' },
        icon('truck'),
        t('navigate'),
      ),
      stop.phone !== null && element('a', { class: 'btn', href: phoneHref(stop.phone) }, icon('phone'), t('call')),
    ),
    factsView(shown),
    stop.goods.length > 0 &&
      element(
        'section',
        { class: 'goods' },
        element('h3', {}, t('goods')),
        element('ul', {}, ...stop.goods.map((line) => goodsView(line, words))),
      ),
    told.length > 0 &&
      element(
        'ul',
        { class: 'told', 'aria-label': t('told') },
        ...told.map(({ kind, at, exchange, isWaiting }) =>
          element(
            'li',
            { 'data-waiting': isWaiting },
            icon(isWaiting ? 'clock' : 'check'),
            element(
              'span',
              { class: 'grow' },
              t(`${kind}Told`),
              exchange !== null && element('span', { class: 'dim figures' }, exchangeText(exchange, types, words)),
            ),
            element('span', { class: 'figures dim' }, momentText(at, stop.timeZone, words)),
            isWaiting && element('span', { class: 'unseen' }, t('waits')),
          ),
        ),
      ),
    element(
      'div',
      { class: 'two' },
      photo('cmr', t('photoCmr')),
      types.length > 0 && button('exchange', t('loadCarriers'), () => shown.onExchange(stop)),
      photo('pallets', t('photoPallets')),
      isUnloadedAt(stop) && button('sign', t('sign'), () => shown.onSign(stop)),
      button('remark', t('remark'), () => shown.onWords(stop, 'remark')),
      button('damage', t('damage'), () => shown.onWords(stop, 'damage')),
      photo('damagePicture', t('photoDamage')),
    ),
  )
}

/** What was left and taken along, type by type. */
function exchangeText({ noteNumber, lines }: ToldExchange, types: readonly Reference[], { t, format }: Words): string {
  const pieces = lines.map(({ typeId, given, received, damaged }) => {
    const parts = [
      given > 0 && t('piecesGiven', { count: format.number(given) }),
      received > 0 && t('piecesReceived', { count: format.number(received) }),
      damaged > 0 && t('piecesDamaged', { count: format.number(damaged) }),
    ]
    const title = types.find(({ id }) => id === typeId)?.title
    return [title, parts.filter(Boolean).join(', ')].filter(Boolean).join(': ')
  })
  return [
    pieces.length === 0 ? t('nothingExchanged') : pieces.join('; '),
    noteNumber && t('note', { number: noteNumber }),
  ]
    .filter(Boolean)
    .join(' · ')
}

/** Reference, whom to ask for, and what was typed for the driver. */
function factsView({ stop, words: { t } }: Shown): HTMLElement | false {
  const facts = [
    [t('reference'), stop.reference],
    [t('contactPerson'), stop.contactPerson],
  ].filter((fact): fact is [string, string] => fact[1] !== null)
  if (facts.length + stop.notes.length === 0) return false
  return element(
    'div',
    { class: 'facts' },
    ...facts.map(([label, value]) =>
      element('p', {}, element('span', { class: 'dim' }, `${label} `), element('b', {}, value)),
    ),
    ...stop.notes.map((note) => element('p', { class: 'note' }, note)),
  )
}

function goodsView(line: DrivenGoods, { t, format }: Words): HTMLElement {
  const {
    action,
    title,
    quantity,
    unit,
    packages,
    weightKg,
    ldm,
    marks,
    instructions,
    temperatureFrom,
    temperatureTo,
    adr,
  } = line
  const degrees = [...new Set([temperatureFrom, temperatureTo])].flatMap((one) =>
    one === null ? [] : [format.number(one)],
  )
  const figures = [
    packages !== null && t('packages', { count: format.number(packages) }),
    weightKg !== null && `${format.number(weightKg)} kg`,
    ldm !== null && `${format.number(ldm, 0, 2)} Ldm`,
    marks,
    adr !== null && `UN ${adr.unNumber}, ADR ${adr.adrClass}`,
    degrees.length > 0 && `${degrees.join(' … ')} °C`,
  ].filter(Boolean)
  return element(
    'li',
    {},
    element('b', {}, [`${format.number(quantity)} ×`, unit, title].filter(Boolean).join(' ')),
    element(
      'span',
      { class: 'dim figures' },
      [t(action === 'PICK_UP' ? 'comesOn' : 'comesOff'), ...figures].join(' · '),
    ),
    instructions !== null && element('span', { class: 'note' }, instructions),
  )
}
