import { PAPER_ADDRESS } from '@waybill/contract/kit/expiry'

/**
 * The place of a link that opens something: a waiting mail names its row, and delivery puts the link itself in. So no
 * token lies in the outbox, nor in what is shown of a mail.
 */
const PATHS = {
  upload: '/upload-documents/',
  paper: `/upload-documents/${PAPER_ADDRESS}`,
  tracking: '/track/',
  driver: '/drive/',
} as const

/**
 * What a link is for: carriers hand in what their transport asks for, or a new paper of their own, customers follow
 * their order, drivers tell how it goes.
 */
export type LinkKind = keyof typeof PATHS

const PLACES: Readonly<Record<LinkKind, RegExp>> = {
  upload: /(?<=\/upload-documents\/)~([1-9]\d{0,15})(?![\w-])/g,
  paper: /(?<=\/upload-documents\/paper-)~([1-9]\d{0,15})(?![\w-])/g,
  tracking: /(?<=\/track\/)~([1-9]\d{0,15})(?![\w-])/g,
  driver: /(?<=\/drive\/)~([1-9]\d{0,15})(?![\w-])/g,
}

/** Where the link of this row will stand; it opens nothing itself. */
export const linkPlace = (publicUrl: string, kind: LinkKind, id: number): string => `${publicUrl}${PATHS[kind]}~${id}`

/** Where a link will stand that is made with its mail: there is no row to name yet. */
export const newLinkPlace = (publicUrl: string, kind: LinkKind): string => `${publicUrl}${PATHS[kind]}~new`

/** The address of a link. */
export const linkAddress = (publicUrl: string, kind: LinkKind, token: string): string =>
  `${publicUrl}${PATHS[kind]}${token}`

/** The rows that the places in a text name, each once. */
export const linkPlacesIn = (html: string, kind: LinkKind): number[] => [
  ...new Set([...html.matchAll(PLACES[kind])].map(([, id]) => Number(id))),
]

/** The text with its links; a place without one stays as it is, and opens nothing. */
export const withLinks = (html: string, kind: LinkKind, tokens: ReadonlyMap<number, string>): string =>
  html.replace(PLACES[kind], (place, id: string) => tokens.get(Number(id)) ?? place)
