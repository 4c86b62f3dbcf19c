import { LANGUAGES, type Language } from '@waybill/contract/errors'
import { keptName } from './kept-name.ts'
import { readKept, writeKept } from './words.ts'

/** What was typed on the page of a link, and in which language its figures stand. */
interface TypedThen<Typed> {
  language: Language
  typed: Typed
}

interface KeptTyping<Typed> {
  /** What was typed before and not sent; null for nothing */
  read: () => TypedThen<Typed> | null
  write: (then: TypedThen<Typed>) => void
  /** It was sent, or is not asked for any more. */
  forget: () => void
}

/**
 * Keeps on this device what is typed on the page of a link until it is sent: a telephone drops a page as soon as
 * another program needs the room, the camera too. `empty` names the fields.
 */
export async function keptTyping<Typed extends Record<string, string>>(
  page: string,
  token: string,
  empty: Typed,
): Promise<KeptTyping<Typed>> {
  const name = await keptName(`waybill-${page}`, token)
  const fields = Object.keys(empty)
  const put = (text: string | null) => name !== null && writeKept(name, text)
  return {
    read() {
      try {
        const { language, typed } = JSON.parse((name && readKept(name)) ?? 'null') as TypedThen<Record<string, unknown>>
        const texts = Object.fromEntries(fields.map((field) => [field, String(typed[field] ?? '')]))
        return LANGUAGES.includes(language) ? { language, typed: texts as Typed } : null
      } catch {
        return null
      }
    },
    write(then) {
      const isEmpty = Object.values(then.typed).every((text) => text.trim() === '')
      put(isEmpty ? null : JSON.stringify(then))
    },
    forget: () => put(null),
  }
}
