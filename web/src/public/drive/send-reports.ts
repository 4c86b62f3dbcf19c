import { tellPicture, tellReport, type DriverPage, type DriverReport } from '@waybill/contract/public/driver-link'
import { ApiError } from '../../kit/api/api-error.ts'
import { newRandomKey } from '../../kit/api/random-key.ts'
import { callPublic, passes } from '../shell/call-public.ts'
import type { Words } from './drive-words.ts'
import type { Kept, Waiting } from './kept.ts'

interface Settings {
  token: string
  kept: Kept
  words: () => Words
  /** the number of the route that has a stop, as far as it is known */
  numberOf: (stopId: number) => string | null
  /** something was told, sent or refused */
  onChange: () => void
  /** the server has answered with the page as it is now */
  onPage: (page: DriverPage) => void
  /** the link has ended */
  onGone: () => void
}

export type Told = Omit<Waiting, 'key' | 'place' | 'number' | 'refusal'>

const LONGEST_PAUSE_MS = 60_000

/** How long to wait before the next try: 2, 4, 8 … 60 seconds. */
const pauseAfter = (tries: number): number => Math.min(2_000 * 2 ** (tries - 1), LONGEST_PAUSE_MS)

/**
 * Sends what was told, one after the other in the order in which it happened; what has no connection waits, and goes
 * as soon as there is one. What the server refuses steps aside, so that it holds up nothing behind it.
 */
export function createReportSender({ token, kept, words, numberOf, onChange, onPage, onGone }: Settings) {
  const list: Waiting[] = []
  let isBusy = false
  let tries = 0
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const call = ({
    key,
    stopId,
    kind,
    at,
    position,
    text,
    signedBy,
    file,
    exchange = null,
  }: Waiting): Promise<DriverPage> => {
    const params = { token }
    if (file === null) {
      const body = { key, stopId, kind: kind as DriverReport['kind'], at, position, text, exchange }
      return callPublic(tellReport, words().language, { params, body })
    }
    const form = new FormData()
    const fields = { key, stopId: String(stopId), kind, at, ...(signedBy !== null && { signedBy }) }
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', file, file.name)
    return callPublic(tellPicture, words().language, { params, form })
  }

  async function sendOne(one: Waiting): Promise<'goOn' | 'pause'> {
    try {
      const page = await call(one)
      tries = 0
      list.splice(list.indexOf(one), 1)
      void kept.forgetWaiting(one.key)
      onPage(page)
    } catch (error) {
      if (passes(error)) {
        tries += 1
        timer = setTimeout(goOn, Math.max(pauseAfter(tries), (error.retryAfter ?? 0) * 1000))
        return 'pause'
      }
      if (error instanceof ApiError && error.status === 404) {
        isOver = true
        onGone()
        return 'pause'
      }
      one.refusal =
        error instanceof ApiError
          ? (error.errors[0]?.message ?? error.detail) || words().t('refused')
          : words().t('refused')
      await kept.writeWaiting(one)
    }
    onChange()
    return 'goOn'
  }

  async function work(): Promise<void> {
    if (isBusy || isOver) return
    isBusy = true
    clearTimeout(timer)
    for (let next = nextOf(); next !== undefined; next = nextOf()) if ((await sendOne(next)) === 'pause') break
    isBusy = false
    onChange()
  }
  const nextOf = () => list.find(({ refusal }) => refusal === null)
  const goOn = () => void work()
  window.addEventListener('online', goOn)

  return {
    /** what waits and what was refused, in the order in which it was told */
    list: (): readonly Waiting[] => list,
    countWaiting: (): number => list.filter(({ refusal }) => refusal === null).length,
    goOn,
    /** Keeps what a driver tells and sends it as soon as it can. False where this telephone keeps nothing. */
    async tell(told: Told): Promise<boolean> {
      const place = (list.at(-1)?.place ?? 0) + 1
      const one: Waiting = { ...told, key: newRandomKey(), place, number: numberOf(told.stopId), refusal: null }
      list.push(one)
      const isKept = await kept.writeWaiting(one)
      onChange()
      void work()
      return isKept
    },
    /** Forgets what the server has refused. */
    async dismiss(key: string): Promise<void> {
      const at = list.findIndex((one) => one.key === key)
      if (at >= 0) list.splice(at, 1)
      await kept.forgetWaiting(key)
      onChange()
    },
    async restore(): Promise<void> {
      list.push(...(await kept.readWaiting()))
      onChange()
      void work()
    },
    /**
     * Goes on with what waits here of an earlier link of the same route, which was renewed or has ended: in the order
     * in which all of it happened.
     */
    async takeOver(route: string): Promise<void> {
      const known = new Set(list.map(({ key }) => key))
      const left = (await kept.takeOver(route)).filter(({ key }) => !known.has(key))
      if (left.length === 0) return
      list.push(...left)
      list.sort((one, other) => one.at.localeCompare(other.at) || one.place - other.place)
      for (const [index, one] of [...list].entries()) {
        one.place = index + 1
        // What was sent meanwhile is not kept again.
        if (list.includes(one)) await kept.writeWaiting(one)
      }
      onChange()
      void work()
    },
  }
}
export type ReportSender = ReturnType<typeof createReportSender>
