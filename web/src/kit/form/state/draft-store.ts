import { createStore, del, get, set, type UseStore } from 'idb-keyval'

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

let store: UseStore | null = null
const drafts = (): UseStore => (store ??= createStore('waybill-drafts', 'drafts'))
const nameOf = ({ userId, form, id }: DraftKey): string => `${userId}/${form}/${id}`

// A browser may refuse the database (private windows, full disk): then there is no draft,
// and the form works all the same.

/** The draft of a form, or null. */
export async function readDraft<Values>(key: DraftKey): Promise<Draft<Values> | null> {
  try {
    return (await get<Draft<Values>>(nameOf(key), drafts())) ?? null
  } catch {
    return null
  }
}

/** Keeps a draft; answers whether it is kept. */
export async function writeDraft<Values>(key: DraftKey, draft: Draft<Values>): Promise<boolean> {
  try {
    await set(nameOf(key), draft, drafts())
    return true
  } catch {
    return false
  }
}

export async function removeDraft(key: DraftKey): Promise<void> {
  try {
    await del(nameOf(key), drafts())
  } catch {
    // It was never kept.
  }
}
