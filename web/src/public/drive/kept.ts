import type { DriverPage, Position, ReportKind, ToldExchange } from '@waybill/contract/public/driver-link'
import { createStore, del, entries, get, set, type UseStore } from 'idb-keyval'
import { keptName } from '../shell/kept-name.ts'

/** What a driver has told and the server has not taken yet. */
export interface Waiting {
  /** what this telephone calls it: sent again it is the same */
  key: string
  /** in which order it was told */
  place: number
  /** the route that it is about, by its number */
  number: string | null
  stopId: number
  kind: ReportKind
  /** when it happened, not when it is sent */
  at: string
  position: Position | null
  text: string | null
  signedBy: string | null
  file: File | null
  /** load carriers; what an earlier version kept has none */
  exchange?: ToldExchange | null
  /** why the server did not take it; null while it waits */
  refusal: string | null
}

/** What this telephone keeps of one link. */
export interface Kept {
  readPage: () => Promise<DriverPage | null>
  writePage: (page: DriverPage | null) => Promise<void>
  readWaiting: () => Promise<Waiting[]>
  /** False where the telephone keeps nothing: then it is lost with the page. */
  writeWaiting: (one: Waiting) => Promise<boolean>
  forgetWaiting: (key: string) => Promise<void>
  /** Makes what other links of a route left here this link's own, and gives it. */
  takeOver: (number: string) => Promise<Waiting[]>
}

let store: UseStore | null = null
const kept = (): UseStore => (store ??= createStore('waybill-drive', 'kept'))

/** What is kept for a link; nothing where the browser hashes nothing, or refuses. */
export async function keptFor(token: string): Promise<Kept> {
  const name = await keptName('drive', token)
  const quietly = async <T>(work: (known: string) => Promise<T>, otherwise: T): Promise<T> => {
    try {
      return name === null ? otherwise : await work(name)
    } catch {
      return otherwise
    }
  }
  return {
    readPage: () => quietly(async (known) => (await get<DriverPage>(`${known} page`, kept())) ?? null, null),
    writePage: (page) =>
      quietly(
        (known) => (page === null ? del(`${known} page`, kept()) : set(`${known} page`, page, kept())),
        undefined,
      ),
    readWaiting: () =>
      quietly(async (known) => {
        const all = await entries<string, Waiting>(kept())
        const own = all.filter(([key]) => key.startsWith(`${known}/`)).map(([, one]) => one)
        return own.toSorted((one, other) => one.place - other.place)
      }, []),
    writeWaiting: (one) =>
      quietly(async (known) => {
        await set(`${known}/${one.key}`, one, kept())
        return true
      }, false),
    forgetWaiting: (key) => quietly((known) => del(`${known}/${key}`, kept()), undefined),
    takeOver: (number) =>
      quietly(async (known) => {
        const all = await entries<string, Waiting>(kept())
        const left = all.filter(
          ([key, one]) => key.includes('/') && !key.startsWith(`${known}/`) && one.number === number,
        )
        for (const [key, one] of left) {
          await set(`${known}/${one.key}`, one, kept())
          await del(key, kept())
        }
        return left.map(([, one]) => one)
      }, []),
  }
}
