import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { element, icon } from './element.ts'
import type { Words } from './words.ts'

/** What a page says in place of itself. */
export type Trouble = 'gone' | 'slowed' | 'offline'

/** The words that every public page has. */
type ShellWords = Words<
  | 'language'
  | 'goneHeading'
  | 'goneText'
  | 'slowedHeading'
  | 'slowedText'
  | 'offlineHeading'
  | 'offlineText'
  | 'tryAgain'
>

/** The switch of languages, at the end of the bar; the one before goes. */
export function drawLanguages({ t, language }: ShellWords, onChoose: (language: Language) => void): void {
  const bar = document.getElementById('bar')!
  bar.querySelector('.languages')?.remove()
  document.documentElement.lang = language
  bar.append(
    element(
      'div',
      { class: 'languages', role: 'group', 'aria-label': t('language') },
      ...LANGUAGES.map((one) =>
        element(
          'button',
          { type: 'button', lang: one, 'aria-pressed': String(one === language), onclick: () => onChoose(one) },
          one.toUpperCase(),
        ),
      ),
    ),
  )
}

/** After a choice the focus stays where it was, on the switch; who has gone on to a field meanwhile stays there. */
export function focusLanguages(): void {
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body)
    document.querySelector<HTMLElement>('.languages [aria-pressed="true"]')?.focus()
}

/**
 * Shows these in place of what stood there. What has the focus keeps it, and a text its caret, so that an answer which
 * arrives late takes no key from who is typing; it is known again by its id or its address.
 */
export function showIn(place: HTMLElement, ...views: Node[]): void {
  const focused = document.activeElement
  const href = focused?.getAttribute('href')
  const same = focused?.id ? `#${focused.id}` : href ? `[href="${href}"]` : null
  const caret = focused instanceof HTMLInputElement ? ([focused.selectionStart, focused.selectionEnd] as const) : null
  place.replaceChildren(...views)
  const next = same === null ? null : place.querySelector<HTMLElement>(same)
  next?.focus({ preventScroll: true })
  // A day has no caret.
  if (next instanceof HTMLInputElement && caret !== null && caret[0] !== null) next.setSelectionRange(...caret)
}

/** Why there is no page, and what can be done; `office`: whom to ask. */
export function troubleView(
  what: Trouble,
  { t }: ShellWords,
  { office = null, onAgain }: { office?: HTMLElement | null; onAgain: () => void },
): HTMLElement {
  const heading = { gone: t('goneHeading'), slowed: t('slowedHeading'), offline: t('offlineHeading') }
  const text = { gone: t('goneText'), slowed: t('slowedText'), offline: t('offlineText') }
  return element(
    'section',
    { class: 'card arrived' },
    element('span', { class: 'round odd' }, icon(what === 'gone' ? 'clock' : 'look')),
    element('h1', { tabindex: '-1' }, heading[what]),
    element('p', {}, text[what]),
    what === 'gone' && office,
    what !== 'gone' && element('button', { type: 'button', class: 'btn', onclick: onAgain }, t('tryAgain')),
  )
}

export const phoneHref = (phone: string): string => `tel:${phone.replace(/[^+\d]/g, '')}`

export const phoneLink = (phone: string): HTMLElement => element('a', { href: phoneHref(phone) }, phone)

const MEGABYTE = 1_000_000

/** `1.8 MB`, in the language's own figures. */
export const sizeText = (bytes: number, { format }: Pick<Words<never>, 'format'>): string =>
  `${format.number(Math.max(bytes / MEGABYTE, 0.1), 1, 1)}\u00A0MB`
