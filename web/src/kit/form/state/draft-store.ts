import { createStore, del, get, set, type UseStore } from 'idb-keyval'
import { LAST_TYPED } from './last-typed.ts'

/** So long a hand rests before its typing is kept */
export const DRAFT_DELAY_MS = 250
/** Typing without a rest loses no more than this if the browser crashes. */
export const LONGEST_DELAY_MS = 1000

/**
 * Unsaved typing on this device. `version` and `base` are what it was typed upon: null and the
 * empty values for a new record.
 */
export interface Draft<Values> {
  values: Values
  base: Values
  version: number | null
  /** RFC 3339 */
  keptAt: string
}

/** Whose typing, in which form (domain, People and rights: drafts are bound to the user and outlive a sign-out). */
export interface DraftKey {
  userId: number
  form: string
  id: number | 'new'
}

/** What a page that goes away leaves behind: its typing, or that there is none any more. */
interface LastWord<Values> {
  /** RFC 3339 */
  at: string
  draft: Draft<Values> | null
}

let store: UseStore | null = null
const drafts = (): UseStore => (store ??= createStore('waybill-drafts', 'drafts'))
const nameOf = ({ userId, form, id }: DraftKey): string => `${userId}/${form}/${id}`
const lastWordOf = (key: DraftKey): string => `${LAST_TYPED}${nameOf(key)}`

// A browser may refuse the database (private windows, full disk): then there is no draft,
// and the form works all the same.

/** The draft of a form, or null: the younger one of the database's and of what a page left as it went. */
export async function readDraft<Values>(key: DraftKey): Promise<Draft<Values> | null> {
  const last = readLastWord<Values>(key)
  try {
    const kept = (await get<Draft<Values>>(nameOf(key), drafts())) ?? null
    return last === null || (kept !== null && kept.keptAt > last.at) ? kept : last.draft
  } catch {
    return last?.draft ?? null
  }
}

/** Keeps a draft; answers whether it is kept. */
export async function writeDraft<Values>(key: DraftKey, draft: Draft<Values>): Promise<boolean> {
  try {
    await set(nameOf(key), draft, drafts())
    forgetLastWord(key, draft.keptAt)
    return true
  } catch {
    return false
  }
}

export async function removeDraft(key: DraftKey): Promise<void> {
  const at = new Date().toISOString()
  try {
    await del(nameOf(key), drafts())
  } catch {
    // It was never kept.
  }
  forgetLastWord(key, at)
}

/**
 * Leaves the typing behind at once, for a page that is going away: the database's answer would come too late.
 * Null says that nothing is to be kept any more.
 */
export function leaveDraft<Values>(key: DraftKey, draft: Draft<Values> | null): void {
  const word: LastWord<Values> = { at: draft?.keptAt ?? new Date().toISOString(), draft }
  try {
    localStorage.setItem(lastWordOf(key), JSON.stringify(word))
  } catch {
    // No room: the database has all but the last second.
  }
}

function readLastWord<Values>(key: DraftKey): LastWord<Values> | null {
  try {
    return JSON.parse(localStorage.getItem(lastWordOf(key)) ?? 'null') as LastWord<Values> | null
  } catch {
    return null
  }
}

// A page may have gone away, and left its typing, while the database was still writing.
function forgetLastWord(key: DraftKey, until: string): void {
  const last = readLastWord(key)
  if (last !== null && last.at <= until) localStorage.removeItem(lastWordOf(key))
}
