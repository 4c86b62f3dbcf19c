import type { Language } from '@waybill/contract/errors'
import {
  getUploadPage,
  openUploadPage,
  submitProofs,
  submitUpload,
  type UploadInvoice,
  type UploadPage,
} from '@waybill/contract/public/upload-link'
import { getOurOffice, type OurOffice } from '@waybill/contract/public/our-office'
import type { UploadRead } from '@waybill/contract/public/upload-read'
import { ApiError } from '../../kit/api/api-error.ts'
import { newRandomKey } from '../../kit/api/random-key.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import { drawCompany, footView, officeView } from '../shell/company.ts'
import { element, icon } from '../shell/element.ts'
import { drawLanguages, focusLanguages, troubleView, type Trouble } from '../shell/parts.ts'
import { keepLanguage, languageFor } from '../shell/words.ts'
import { arrivedView } from './arrived-view.ts'
import { detailsView, fieldOf } from './details-view.ts'
import { filesView } from './files-view.ts'
import { differing, emptyFilled, fillDetails, takeOver } from './fill-details.ts'
import { keptFor, type Kept, type ToldInvoice, type Typed } from './kept.ts'
import { emptyDetails, readDetails, translateDetails, type DetailFault } from './read-details.ts'
import { readView } from './read-view.ts'
import { routeView } from './route-view.ts'
import { createFileSender, pauseAfter, type FileSender, type SentFile } from './send-files.ts'
import { wordsOf, type Words } from './upload-words.ts'

const token = decodeURIComponent(location.pathname.split('/')[2] ?? '')
const place = document.getElementById('page')!
const live = document.getElementById('live')!

let words: Words = wordsOf(languageFor(null))
let page: UploadPage | null = null
/** whom to call where a link opens nothing */
let office: OurOffice | null = null
let trouble: Trouble | null = null
let isJustSent = false
let typed: Typed
let kept: Kept
let told: ToldInvoice | null = null
let sender: FileSender
let shown: ReturnType<typeof formView> | null = null
/** the intention to send, as long as it is not carried out: the same body keeps its key, so nothing is sent twice */
let sending: { key: string; body: string } | null = null
let isSendWanted = false
let tries = 0
let timer: ReturnType<typeof setTimeout> | undefined

const say = (text: string) => {
  live.textContent = text
}

// ---------------------------------------------------------------- head and foot

function drawHead(): void {
  drawCompany(page?.company ?? null, words.t('pageTitle'))
  drawLanguages(words, speak)
}

function speak(language: Language): void {
  const before = words
  words = wordsOf(language)
  keepLanguage(language)
  if (page !== null) {
    typed = translateDetails(typed, before, words)
    keepTyped()
  }
  draw()
  focusLanguages()
}

// ---------------------------------------------------------------- views

const hasSent = () => page!.invoice !== null || page!.files.some(({ isDraft }) => !isDraft)
const isAdding = () => (history.state as { isAdding?: boolean } | null)?.isAdding === true
const showsForm = () => page!.state === 'open' && (!hasSent() || isAdding())

function draw(): void {
  drawHead()
  place.removeAttribute('aria-busy')
  shown = null
  if (trouble !== null || page === null) {
    const shownOffice = office === null ? null : officeView(office, words)
    const view = trouble && troubleView(trouble, words, { office: shownOffice, onAgain: () => void load() })
    place.replaceChildren(...(view === null ? [] : [element('main', { class: 'alone' }, view)]))
    return
  }
  if (showsForm()) shown = formView()
  const main =
    shown?.root ??
    arrivedView({
      page,
      words,
      isJustSent,
      onMore: () => {
        history.pushState({ isAdding: true }, '')
        isJustSent = false
        draw()
        shown?.focus()
      },
    })
  place.replaceChildren(
    element('main', { class: 'page' }, routeView(page, words), main),
    footView(page.company, page.contact, words),
  )
}

function formView() {
  const { t } = words
  const current = page!
  const pods = filesView({ kind: 'pod', words, sender, say, page: current })
  const invoices = filesView({ kind: 'invoice', words, sender, say, page: current })
  const details = detailsView({ page: current, words, typed, onType: keepTyped, onLeave: () => tell() })
  const reading = readView({
    words,
    nameOf: details.nameOf,
    company: current.company.title,
    onTake: (fields) => {
      fill(fields.reduce((values, field) => takeOver(values, told!.read, field, words), typed))
    },
    onKeep: (fields) => {
      told!.settled.push(...fields)
      kept.writeTold(told)
      tell()
    },
  })
  const summary = element('div', { class: 'summary', role: 'alert', tabindex: '-1', hidden: true })
  const notice = element('p', { class: 'hint', 'aria-live': 'polite', hidden: true })
  const button = element('button', { type: 'submit', class: 'btn main' }, t('send'))
  const step = (number: string, title: string, isThere: boolean, ...inside: Node[]) =>
    element(
      'section',
      { class: 'card step', 'aria-label': title },
      element('h2', {}, element('span', { class: isThere ? 'no ok' : 'no' }, isThere ? icon('check') : number), title),
      ...inside,
    )
  const isThere = (kind: 'pod' | 'invoice') => !current.needs.includes(kind)
  const root = element(
    'form',
    {
      class: 'steps',
      novalidate: true,
      onsubmit: (event) => {
        event.preventDefault()
        ask()
      },
    },
    element('p', { class: 'limits' }, t('limits')),
    summary,
    step('1', t('podTitle'), isThere('pod'), pods.root),
    step('2', t('invoiceTitle'), isThere('invoice'), invoices.root),
    step('3', t('detailsTitle'), false, reading.root, details.root),
    element('div', { class: 'go' }, notice, button, element('p', { class: 'note' }, t('keptNote'))),
  )

  /** Says all that is wrong, above and beside the fields, and goes to the first. */
  function showFaults(faults: readonly DetailFault[], others: readonly string[]): void {
    details.showFaults(faults)
    summary.hidden = faults.length + others.length === 0
    if (summary.hidden) return
    summary.replaceChildren(
      element('b', {}, t('summary')),
      element(
        'ul',
        {},
        ...others.map((text) => element('li', {}, text)),
        ...faults.map(({ field, message }) =>
          element(
            'li',
            {},
            element(
              'a',
              {
                href: `#${field}`,
                onclick: (event) => {
                  event.preventDefault()
                  details.focus(field)
                },
              },
              `${details.nameOf(field)}: ${message}`,
            ),
          ),
        ),
      ),
    )
    if (others.length > 0 || faults[0] === undefined) summary.focus()
    else details.focus(faults[0].field)
  }

  /** Says what the electronic invoice is about, as things stand. */
  function tell(): void {
    details.setCurrency(told?.read.currency ?? 'EUR')
    reading.update(told, typed, told === null ? [] : differing(typed, told, words))
  }
  function fill(values: Typed): void {
    details.fill(values)
    keepTyped()
    tell()
  }
  tell()

  return {
    root,
    showFaults,
    fill,
    focus: pods.focus,
    update: () => {
      pods.update()
      invoices.update()
    },
    /** `null`: ready to send */
    setBusy: (text: string | null, why: string | null = null) => {
      button.disabled = text !== null && why === null
      button.textContent = text ?? t('send')
      notice.hidden = why === null
      notice.textContent = why ?? ''
    },
  }
}

// ---------------------------------------------------------------- sending

const keepTyped = () => kept.writeTyped({ ...typed, language: words.language })

const DETAILS = ['invoiceNumber', 'documentCreationDate', 'dueDate', 'amount', 'total', 'iban'] as const

/** What would be sent now: an invoice with all drafts, the proofs alone, or what is missing. */
function wanted(): UploadInvoice | 'proofs' | { faults: DetailFault[]; others: string[] } {
  const { t } = words
  const files = sender.list().filter(({ state }) => state !== 'refused')
  const hasFile = (kind: 'pod' | 'invoice') => files.some((file) => file.kind === kind)
  const isInvoice = hasFile('invoice') || DETAILS.some((name) => typed[name].trim() !== '')
  if (!isInvoice) return hasFile('pod') ? 'proofs' : { faults: [], others: [t('nothingChosen')] }
  const read = readDetails(typed, words, page!)
  const others = hasFile('invoice') || page!.invoice !== null ? [] : [t('invoiceFileRequired')]
  if (told !== null && differing(typed, told, words).length > 0) others.push(t('answerDifferences'))
  if (Array.isArray(read)) return { faults: read, others }
  return others.length > 0 ? { faults: [], others } : read
}

/** An electronic invoice has arrived: it fills what nobody has typed, and differences are asked. */
function takeRead({ id }: SentFile, read: UploadRead): void {
  const { typed: values, filled } = fillDetails(typed, read, { words, page: page!, before: told })
  told = { fileId: id!, read, filled, settled: [] }
  kept.writeTold(told)
  putIn(values)
}

/** What an electronic invoice has filled goes with it, as long as nobody has typed over it. */
function forgetRead(): void {
  if (told === null || sender.list().some(({ id }) => id === told!.fileId)) return
  const values = emptyFilled(typed, told, { words, page: page! })
  told = null
  kept.writeTold(null)
  putIn(values)
}

function putIn(values: Typed): void {
  if (shown !== null) return shown.fill(values)
  typed = values
  keepTyped()
}

/** A person has pressed *Send*: what is typed is checked now, and goes as soon as the files are there. */
function ask(): void {
  const what = wanted()
  const isComplete = what === 'proofs' || 'iban' in what
  shown?.showFaults(isComplete ? [] : what.faults, isComplete ? [] : what.others)
  isSendWanted = isComplete
  tries = 0
  if (isComplete) void send()
}

async function send(): Promise<void> {
  clearTimeout(timer)
  const { t, language } = words
  const open = sender.list().filter(({ state }) => state !== 'refused' && state !== 'done')
  if (open.length > 0) {
    const isStopped = open.some(({ state }) => state === 'stopped')
    shown?.setBusy(t('waitsForFiles'), isStopped ? t('waitsForConnection') : null)
    return
  }
  const what = wanted()
  if (what !== 'proofs' && !('iban' in what)) {
    isSendWanted = false
    return shown?.setBusy(null)
  }
  isSendWanted = false
  shown?.setBusy(t('isSending'))
  const text = JSON.stringify([what, sender.list().map(({ id }) => id)])
  if (sending?.body !== text) sending = { key: newRandomKey(), body: text }
  const call = { params: { token }, idempotencyKey: sending.key }
  try {
    const answer =
      what === 'proofs'
        ? await callPublic(submitProofs, language, call)
        : await callPublic(submitUpload, language, { ...call, body: what })
    arrive(answer.page, what !== 'proofs')
  } catch (error) {
    refuse(error)
  }
}

function arrive(sent: UploadPage, isInvoice: boolean): void {
  page = sent
  sending = null
  sender.clear(isInvoice ? ['pod', 'invoice'] : ['pod'])
  if (isInvoice) {
    typed = emptyDetails(sent, words)
    told = null
    kept.writeTyped(null)
    kept.writeTold(null)
  }
  isJustSent = true
  // A later *Back* must not lead into a form that is sent.
  history.replaceState({}, '')
  draw()
  const heading = place.querySelector<HTMLElement>('.arrived h2')
  heading?.focus()
  window.scrollTo(0, 0)
}

function refuse(error: unknown): void {
  const { t } = words
  if (passes(error)) {
    tries += 1
    isSendWanted = true
    shown?.setBusy(t('send'), error.status === 429 ? t('slowedText') : t('waitsForConnection'))
    timer = setTimeout(() => void send(), Math.max(pauseAfter(tries), (error.retryAfter ?? 0) * 1000))
    return
  }
  sending = null
  shown?.setBusy(null)
  if (!(error instanceof ApiError)) throw error
  if (error.status === 404 || error.code === 'conflict') return void load()
  const faults: DetailFault[] = []
  const others: string[] = []
  for (const { path, message } of error.errors) {
    const field = fieldOf(path, typed)
    if (field === null) others.push(path === 'files' ? t('invoiceFileRequired') : message)
    else faults.push({ field, message })
  }
  shown?.showFaults(faults, faults.length + others.length === 0 ? [error.detail] : others)
}

// ---------------------------------------------------------------- start

async function load(): Promise<void> {
  clearTimeout(timer)
  const isFirst = page === null
  try {
    page = await callPublic(getUploadPage, words.language, { params: { token } })
    trouble = null
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) page = null
    trouble = error instanceof ApiError && passes(error) ? (error.status === 429 ? 'slowed' : 'offline') : 'gone'
  }
  if (page !== null && trouble === null && isFirst) await start(page)
  draw()
  if (trouble !== 'gone' || office !== null) return
  // Without it the page says what it can.
  office = await callPublic(getOurOffice, words.language, {}).catch(() => null)
  draw()
}

/** Once, when the page is known: what this device keeps of it, and that a person has it open. */
async function start(known: UploadPage): Promise<void> {
  words = wordsOf(languageFor(known.language))
  kept = await keptFor(token)
  const before = kept.readTyped()
  typed = emptyDetails(known, words)
  if (before !== null) {
    const { language, ...values } = before
    typed = translateDetails({ ...typed, ...values }, { language: language as Language }, words)
  }
  sender = createFileSender({
    token,
    kept,
    words: () => words,
    countSent: () => page?.files.filter(({ isDraft }) => !isDraft).length ?? 0,
    onRead: takeRead,
    onChange: ({ state, title }) => {
      shown?.update()
      forgetRead()
      if (state === 'done') say(words.t('uploadedFile', { title }))
      if (isSendWanted) void send()
    },
    onClosed: () => void load(),
  })
  sender.restore(
    known.files.filter(({ isDraft }) => isDraft),
    await kept.readFiles(),
  )
  const wasTold = kept.readTold()
  if (wasTold !== null && sender.list().some(({ id }) => id === wasTold.fileId)) told = wasTold
  if (sender.list().length > 0 && hasSent() && !isAdding()) history.replaceState({ isAdding: true }, '')
  // A person's opening is told by the page: scanners of mails follow links, and run no scripts.
  void callPublic(openUploadPage, words.language, { params: { token } }).catch(() => undefined)
}

window.addEventListener('popstate', () => page !== null && draw())
window.addEventListener('online', () => {
  if (trouble === 'offline') void load()
  else if (isSendWanted) void send()
})

void load()
