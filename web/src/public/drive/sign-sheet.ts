import { localOf } from '@waybill/contract/kit/local-time'
import type { DrivenStop } from '@waybill/contract/public/driver-link'
import { element } from '../shell/element.ts'
import { readKept, writeKept } from '../shell/words.ts'
import type { Words } from './drive-words.ts'
import { fieldView, openSheet } from './sheets.ts'
import { nameOf } from './stop-view.ts'

type Point = readonly [x: number, y: number]

const WIDTH = 900
const HEIGHT = 320
const LINE = 34
/** A stroke in hand is kept so often. */
const KEEP_MS = 500

interface SignSheet {
  stop: DrivenStop
  /** of the route */
  number: string
  words: Words
  now: Date
  onTell: (signed: { file: File; signedBy: string; at: string }) => void
}

function drawStrokes(pen: CanvasRenderingContext2D, strokes: readonly (readonly Point[])[]): void {
  Object.assign(pen, { lineWidth: 5, lineCap: 'round', lineJoin: 'round', strokeStyle: '#111' })
  for (const [first, ...rest] of strokes) {
    if (first === undefined) continue
    pen.beginPath()
    pen.moveTo(...first)
    // A dot is a line that goes nowhere.
    for (const point of rest.length === 0 ? [first] : rest) pen.lineTo(...point)
    pen.stroke()
  }
}

interface Signed {
  name: string
  strokes: Point[][]
  /** when it was signed, RFC 3339 */
  at: string
}

const isPoint = (point: unknown): point is Point =>
  Array.isArray(point) && point.length === 2 && point.every((figure) => Number.isFinite(figure))

/** What was signed before at this stop and not told; nothing where the device has none, or none that can be read. */
function readSigned(name: string, now: Date): Signed {
  try {
    const { name: signedBy, strokes, at } = JSON.parse(readKept(name) ?? 'null') as Record<keyof Signed, unknown>
    const isDrawn =
      !Number.isNaN(Date.parse(String(at))) &&
      Array.isArray(strokes) &&
      strokes.every((stroke) => Array.isArray(stroke) && stroke.every(isPoint)) &&
      strokes.length > 0
    return isDrawn
      ? { name: String(signedBy), strokes: strokes as Point[][], at: String(at) }
      : { name: String(signedBy), strokes: [], at: now.toISOString() }
  } catch {
    return { name: '', strokes: [], at: now.toISOString() }
  }
}

/** The signature on white, with who signed what, where and when below it: it is read without the order beside it. */
async function pictureOf(strokes: readonly (readonly Point[])[], lines: readonly string[]): Promise<Blob | null> {
  const canvas = document.createElement('canvas')
  Object.assign(canvas, { width: WIDTH, height: HEIGHT + LINE * (lines.length + 1) })
  const pen = canvas.getContext('2d')
  if (pen === null) return null
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  drawStrokes(pen, strokes)
  pen.fillStyle = '#111'
  pen.fillRect(20, HEIGHT, WIDTH - 40, 2)
  pen.font = '24px sans-serif'
  lines.forEach((line, place) => pen.fillText(line, 20, HEIGHT + LINE * (place + 1), WIDTH - 40))
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/png'))
}

/** Asks who received the goods to sign on the glass. */
export function askSignature({ stop, number, words, now, onTell }: SignSheet): void {
  const { t } = words
  // A telephone may drop the page before *Done*: who received the goods is not asked to sign twice.
  const kept = `waybill-drive-signature-${stop.id}`
  const { name: signedBefore, strokes, at: signedAt } = readSigned(kept, now)
  let at = signedAt
  const name = element('input', { id: 'sheet-name', type: 'text', maxlength: 150, autocomplete: 'off' })
  name.value = signedBefore
  let keptAt = 0
  const keep = () => {
    keptAt = Date.now()
    const isEmpty = name.value === '' && strokes.length === 0
    writeKept(kept, isEmpty ? null : JSON.stringify({ name: name.value, strokes, at } satisfies Signed))
  }
  name.addEventListener('input', keep)
  const field = fieldView(t('signedBy'), name)
  const glass = element('canvas', {
    class: 'glass',
    width: WIDTH,
    height: HEIGHT,
    role: 'img',
    'aria-label': t('signature'),
  })
  const fault = element('p', { class: 'fault', role: 'alert' })
  const draw = () => {
    const pen = glass.getContext('2d')!
    pen.clearRect(0, 0, WIDTH, HEIGHT)
    drawStrokes(pen, strokes)
  }
  const pointOf = (event: PointerEvent): Point => {
    const { left, top, width, height } = glass.getBoundingClientRect()
    // Finer than any pen, and short to keep
    const tenth = (figure: number) => Math.round(figure * 10) / 10
    return [tenth(((event.clientX - left) * WIDTH) / width), tenth(((event.clientY - top) * HEIGHT) / height)]
  }
  let current: { stroke: Point[]; pointer: number } | null = null
  glass.addEventListener('pointerdown', (event) => {
    event.preventDefault()
    glass.setPointerCapture(event.pointerId)
    current = { stroke: [pointOf(event)], pointer: event.pointerId }
    strokes.push(current.stroke)
    draw()
  })
  glass.addEventListener('pointermove', (event) => {
    if (current?.pointer !== event.pointerId) return
    current.stroke.push(pointOf(event))
    draw()
    if (Date.now() - keptAt > KEEP_MS) keep()
  })
  for (const end of ['pointerup', 'pointercancel'] as const)
    glass.addEventListener(end, () => {
      current = null
      keep()
    })
  const clear = () => {
    strokes.length = 0
    at = now.toISOString()
    draw()
    keep()
  }
  const sheet = openSheet({
    heading: t('signHeading'),
    words,
    confirm: t('signDone'),
    inside: [
      element('p', { class: 'hint' }, t('signText', { place: nameOf(stop, words) })),
      field.root,
      glass,
      fault,
      element('button', { type: 'button', class: 'btn small', onclick: clear }, t('signAgain')),
    ],
    async onConfirm() {
      const signedBy = name.value.trim()
      if (signedBy === '') return field.fail(t('nameMissing'))
      if (strokes.length === 0) {
        fault.textContent = t('signatureMissing')
        return false
      }
      const where = [...new Set([nameOf(stop, words), stop.city])].filter(Boolean).join(', ')
      const { date, time } = localOf(at, stop.timeZone)
      const picture = await pictureOf(strokes, [signedBy, where, `${number} · ${date} ${time}`])
      if (picture === null) return false
      onTell({ file: new File([picture], `${t('signatureFile')}_${date}.png`, { type: 'image/png' }), signedBy, at })
      return true
    },
  })
  draw()
  sheet.addEventListener('close', () => writeKept(kept, null))
}
