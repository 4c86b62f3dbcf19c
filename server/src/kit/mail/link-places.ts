/**
 * The place of a link that opens something: a waiting mail names its row, and delivery puts the link itself in. So no
 * token lies in the outbox, nor in what is shown of a mail.
 */
const PATH = '/upload-documents/'
const PLACE = /(?<=\/upload-documents\/)~([1-9]\d{0,15})(?![\w-])/g

/** Where the link of this row will stand; it opens nothing itself. */
export const linkPlace = (publicUrl: string, id: number): string => `${publicUrl}${PATH}~${id}`

/** The address of a link. */
export const linkAddress = (publicUrl: string, token: string): string => `${publicUrl}${PATH}${token}`

/** The rows that the places in a text name, each once. */
export const linkPlacesIn = (html: string): number[] => [
  ...new Set([...html.matchAll(PLACE)].map(([, id]) => Number(id))),
]

/** The text with its links; a place without one stays as it is, and opens nothing. */
export const withLinks = (html: string, tokens: ReadonlyMap<number, string>): string =>
  html.replace(PLACE, (place, id: string) => tokens.get(Number(id)) ?? place)
